/* Asks the kernel for what no bot needs, by bare system calls. Prints a line for everything that it got. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void try(const char *what, long result) {
    if (result >= 0) {
        printf("%s\n", what);
        fflush(stdout);
    }
}

#define MNT_DETACH_FLAG 2
#define IPC_CREAT_FLAG 01600
#define TRY(name, ...) try(#name, syscall(SYS_##name, __VA_ARGS__))

static int child(void *unused) {
    (void)unused;
    _exit(0);
}

static void namespaces(void) {
    static char stack[65536];
    static const struct { const char *name; int flag; } kinds[] = {
        {"user", CLONE_NEWUSER}, {"mount", CLONE_NEWNS}, {"pid", CLONE_NEWPID}, {"net", CLONE_NEWNET},
        {"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS},  {"cgroup", CLONE_NEWCGROUP},
    };
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        char what[64];
        snprintf(what, sizeof what, "unshare %s", kinds[n].name);
        try(what, unshare(kinds[n].flag));
        snprintf(what, sizeof what, "clone %s", kinds[n].name);
        int made = clone(child, stack + sizeof stack, kinds[n].flag | SIGCHLD, NULL);
        try(what, made);
        struct clone_args arguments = {.flags = kinds[n].flag, .exit_signal = SIGCHLD};
        long other = syscall(SYS_clone3, &arguments, sizeof arguments);
        if (other == 0) _exit(0);
        snprintf(what, sizeof what, "clone3 %s", kinds[n].name);
        try(what, other);
    }
    const char *links[] = {"user", "mnt", "pid", "net"};
    for (size_t n = 0; n < 4; n++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/1/ns/%s", links[n]);
        int held = open(path, O_RDONLY);
        if (held >= 0) try("setns", setns(held, 0));
        if (held >= 0) close(held);
    }
}

static void mounts(void) {
    TRY(mount, "none", "/tmp", "tmpfs", 0, NULL);
    TRY(umount2, "/tmp", MNT_DETACH_FLAG);
    TRY(pivot_root, "/tmp", "/tmp");
    TRY(chroot, "/tmp");
    TRY(fsopen, "tmpfs", 0);
    TRY(open_tree, AT_FDCWD, "/usr", 1);
    TRY(fspick, AT_FDCWD, "/", 0);
    char handle[sizeof(unsigned) * 2 + 128] = {0};
    ((unsigned *)handle)[0] = 128;
    int id;
    TRY(name_to_handle_at, AT_FDCWD, "/usr", handle, &id, 0);
    /* The root of most file systems: inode 2. */
    ((unsigned *)handle)[0] = 8;
    ((unsigned *)handle)[1] = 1;
    ((unsigned *)handle)[2] = 2;
    int usr = open("/usr", O_RDONLY);
    TRY(open_by_handle_at, usr, handle, O_RDONLY);
}

static void doors(void) {
    static char space[4096];
    TRY(bpf, 0, space, 128);
    TRY(io_uring_setup, 8, space);
    TRY(perf_event_open, space, 0, -1, -1, 0);
    TRY(userfaultfd, 1);
    TRY(add_key, "user", "trace", "x", 1, -4);
    TRY(keyctl, 0, -4, 1, 0, 0);
    TRY(request_key, "user", "trace", NULL, -4);
    TRY(init_module, space, 8, "");
    TRY(kexec_load, 0, 0, space, 0);
    TRY(reboot, 0xfee1dead, 672274793, 0, NULL);
    TRY(syslog, 3, space, sizeof space);
    TRY(acct, "/tmp/acct");
    TRY(swapon, "/tmp/acct", 0);
    TRY(fanotify_init, 0, O_RDONLY);
    TRY(shmget, 0x4152, 64, IPC_CREAT_FLAG);
    TRY(mq_open, "/trace", O_CREAT | O_RDWR, 0600, NULL);
    TRY(settimeofday, space, NULL);
    TRY(sethostname, "other", 5);
    TRY(setuid, 0);
    TRY(setgid, 0);
    TRY(setresuid, 0, 0, 0);
    TRY(quotactl, 0, NULL, 0, space);
    try("pdeathsig kept", prctl(PR_SET_KEEPCAPS, 1) == 0 && setuid(0) == 0 ? 0 : -1);
    try("capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    try("raw socket", socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, 1));
    try("vsock", socket(40, SOCK_STREAM, 0));
    try("vsock by high bits", socket(40 | (int)0x80000000, SOCK_STREAM, 0));
    try("packet", socket(17, SOCK_DGRAM, 0));
    try("alg", socket(38, SOCK_SEQPACKET, 0));
    char letter = 'x';
    /* The upper half of the request is not looked at by the kernel. */
    int terminal = open("/dev/ptmx", O_RDWR);
    if (terminal >= 0) try("TIOCSTI with high bits", syscall(SYS_ioctl, terminal, 0xdead00005412ul, &letter));
}

static void sibling(void) {
    int born = fork();
    if (born == 0) {
        pause();
        _exit(0);
    }
    try("ptrace of a sibling", ptrace(PTRACE_ATTACH, born, NULL, NULL));
    char mine[8], theirs = 0;
    struct iovec to = {mine, 1}, from = {&theirs, 1};
    try("process_vm_readv", process_vm_readv(born, &to, 1, &from, 1, 0));
    int pidfd = (int)syscall(SYS_pidfd_open, born, 0);
    if (pidfd >= 0) TRY(pidfd_getfd, pidfd, 1, 0);
    kill(born, SIGKILL);
    waitpid(born, NULL, 0);
}

#if defined(__x86_64__)
/* System calls of other kinds on the same kernel: the filter must know them or refuse them all. */
static void other_numbers(void) {
    int born = fork();
    if (born == 0) {
        try("x32 unshare", syscall(0x40000000 | SYS_unshare, CLONE_NEWUSER));
        try("x32 ptrace", syscall(0x40000000 | 521, PTRACE_TRACEME, 0, 0, 0));
        _exit(0);
    }
    waitpid(born, NULL, 0);
    born = fork();
    if (born == 0) {
        long result = -1;
        /* unshare(CLONE_NEWUSER) as 32-bit programs call it. */
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(310L), "b"((long)CLONE_NEWUSER) : "memory");
        try("int 0x80 unshare", (int)result);
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(288L), "b"(0L), "c"(-4L), "d"(1L) : "memory");
        try("int 0x80 keyctl", (int)result);
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(425L), "b"(8L), "c"(0L) : "memory");
        try("int 0x80 io_uring_setup", (int)result == -EFAULT ? 0 : (int)result);
        _exit(0);
    }
    waitpid(born, NULL, 0);
}
#else
static void other_numbers(void) {}
#endif

static void itself(void) {
    int made = memfd_create("program", 0);
    /* Programs made of memory run, with the rights of any other. */
    if (made >= 0 && write(made, "#!/bin/sh\nexit 7\n", 17) == 17) {
        int born = fork();
        if (born == 0) {
            char *words[] = {"program", NULL}, *none[] = {NULL};
            fexecve(made, words, none);
            _exit(1);
        }
        int status = 0;
        waitpid(born, &status, 0);
    }
    int null = open("/dev/null", O_WRONLY);
    try("a device changed", fchmod(null, 0600));
    try("a device made", mknod("/tmp/sda", S_IFBLK | 0600, 0x800));
}

int main(void) {
    namespaces();
    mounts();
    doors();
    sibling();
    other_numbers();
    itself();
    printf("done\n");
    return 0;
}
