# Looks for what no bot should reach, in Perl. Arguments: port, secret, abstract socket. Prints what it got.
use strict;
use warnings;
use Socket;

my ($port, $secret, $abstract) = @ARGV;
$| = 1;
if (socket(my $client, PF_INET, SOCK_STREAM, 0)) {
    print "TCP\n" if connect($client, sockaddr_in($port, inet_aton('127.0.0.1')));
}
if (socket(my $client, PF_UNIX, SOCK_STREAM, 0)) {
    print "abstract socket\n" if connect($client, pack('S a*', AF_UNIX, "\0$abstract"));
}
for my $path ($secret, "/proc/self/root$secret", "/proc/1/root$secret", '/etc/shadow') {
    print "read $path\n" if open(my $file, '<', $path);
}
for my $path ('hostile.pl', '/usr/bin/perl', '/etc/passwd', '/dev/sda', '/proc/sys/kernel/core_pattern') {
    print "may write $path\n" if open(my $file, '>>', $path);
}
my $born = 0;
for (1 .. 500) {
    my $child = fork();
    last unless defined $child;
    if ($child == 0) { sleep 20; exit }
    $born++;
}
print "$born children\n" if $born > 64;
chroot('/tmp') and print "chroot\n";
$> = 0;
print "became root\n" if $> == 0;
print "done\n";
