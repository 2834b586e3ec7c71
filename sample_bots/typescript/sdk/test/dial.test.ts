import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlain, security } from "../dial.js";

const plain = { ARENA_INSECURE: "1" };

test("only a unix socket, or this machine where it is asked for, is dialled in the clear", () => {
  for (const address of ["unix:/run/arena/seat.sock", "unix-abstract:seat"]) assert.ok(isPlain(address, {}));
  for (const address of ["127.0.0.1:1", "arena.example.org:4443", "dns:///localhost:1"]) assert.ok(!isPlain(address, {}));
  for (const address of ["127.0.0.1:1", "localhost:1", "dns:///localhost:1", "[::1]:1"]) {
    assert.ok(isPlain(address, plain), address);
  }
  for (const address of ["arena.example.org:4443", "127.evil.example:1", "dns:///arena.example.org:1"]) {
    assert.throws(() => isPlain(address, plain), /this machine only/, address);
  }
});

test("a file of trusted certificates that cannot be read is named", () => {
  assert.throws(() => security("localhost:1", { ARENA_TLS_CA: "nowhere.pem" }), /ARENA_TLS_CA: .*nowhere\.pem/);
  assert.ok(security("localhost:1", {})._isSecure());
});
