// Looks for what no bot should reach, in Go. Arguments: port, secret, abstract socket. Prints what it got.
package main

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

func attempt(what string, err error) {
	if err == nil {
		fmt.Println(what)
	}
}

func main() {
	for network, address := range map[string]string{"tcp": "127.0.0.1:" + os.Args[1], "unix": "@" + os.Args[3]} {
		_, err := net.DialTimeout(network, address, time.Second)
		attempt(network, err)
	}
	for _, path := range []string{os.Args[2], "/proc/self/root" + os.Args[2], "/proc/1/root" + os.Args[2], "/etc/shadow"} {
		_, err := os.ReadFile(path)
		attempt("read "+path, err)
	}
	for _, path := range []string{"hostile", "/usr/bin/env", "/etc/passwd"} {
		_, err := os.OpenFile(path, os.O_WRONLY, 0)
		attempt("may write "+path, err)
	}
	command := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET}
	_, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{Sys: command})
	attempt("namespaces", err)
	attempt("trace", syscall.PtraceAttach(os.Getppid()))
	attempt("mount", syscall.Mount("none", "/tmp", "tmpfs", 0, ""))
	attempt("root", syscall.Setuid(0))
	fmt.Println("done")
}
