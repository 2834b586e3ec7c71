// Looks for what no bot should reach, in Node. Arguments: port, secret, abstract socket. Prints what it got.
const fs = require('node:fs');
const net = require('node:net');
const dgram = require('node:dgram');
const dns = require('node:dns');
const { spawnSync } = require('node:child_process');

const [port, secret, abstract] = process.argv.slice(2);
const attempt = (what, how) => {
  try {
    how();
    console.log(what);
  } catch {
    // as it should be
  }
};
for (const path of [secret, `/proc/self/root${secret}`, `/proc/1/root${secret}`, '/etc/shadow']) {
  attempt(`read ${path}`, () => fs.readFileSync(path));
}
for (const path of ['hostile.js', '/usr/bin/node', '/etc/passwd', '/run/arena/x', '/dev/x']) {
  attempt(`may write ${path}`, () => fs.appendFileSync(path, ''));
}
attempt('watches', () => fs.watch('/usr/lib/os-release', () => {}));
attempt('became root', () => process.setuid(0));
const killed = spawnSync('kill', ['-9', String(process.ppid)]);
if (killed.status === 0 && process.ppid !== 1) console.log('killed its parent');
const later = [
  new Promise((over) => net.connect(Number(port), '127.0.0.1', () => over('TCP')).on('error', () => over(''))),
  new Promise((over) => net.connect(`\0${abstract}`, () => over('abstract socket')).on('error', () => over(''))),
  new Promise((over) => dns.lookup('example.com', (error) => over(error ? '' : 'DNS'))),
  new Promise((over) => {
    const socket = dgram.createSocket('udp4');
    socket.send('x', 53, '8.8.8.8', (error) => {
      socket.close();
      over(error ? '' : 'UDP');
    });
    socket.on('error', () => over(''));
  }),
];
Promise.all(later).then((found) => {
  for (const what of found) if (what) console.log(what);
  console.log('done');
  process.exit(0);
});
