internal import CSeccomp
internal import Glibc

/// The system calls that `SystemCallFilter` sorts, by what they are for.
enum SystemCalls {
    /// The calls of a process that computes with memory, threads and the files that it was given.
    static let computing =
        ["mmap", "munmap", "mprotect", "mremap", "brk", "madvise", "memfd_create"]
        + ["read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "pwritev", "pwritev2"]
        + ["lseek", "ftruncate", "fallocate", "fsync", "fdatasync", "close", "dup", "dup2", "dup3"]
        // The status of a file. A path may be asked about, too: fstat(3) is one of these since glibc 2.33.
        + ["fstat", "newfstatat", "statx", "fstatfs"]
        + ["getpeername", "getsockname", "getsockopt", "poll", "ppoll"]
        + ["futex", "futex_waitv", "rseq", "set_robust_list", "get_robust_list", "set_tid_address", "arch_prctl"]
        + ["sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "membarrier", "getcpu"]
        + ["exit", "exit_group", "gettid", "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid"]
        + ["rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"]
        + ["clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times"]
        + ["getrandom", "getrusage", "uname", "sysinfo", "umask"]

    /// The socket to the parent, without data out of band: the kernel signals its receiver, and its code for that had holes.
    static let sockets = ["recvmsg", "sendmsg"]

    /// Commands of fcntl(2) for the process's own descriptors; F_SETFL is one more, if it does not set O_ASYNC.
    static let descriptorCommands = [F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL]

    /// Commands of fcntl(2) that let the kernel signal another process, whose id and signal the caller chooses: F_SETOWN,
    /// F_SETSIG, F_SETOWN_EX, F_SETLEASE and F_NOTIFY (asm-generic/fcntl.h, linux/fcntl.h).
    static let signallingCommands: [Int32] = [8, 10, 15, 1024, 1026]

    /// Starting programs, and copies of this one other than by clone.
    static let starting = ["execve", "wait4", "waitid"]

    /// The calls of a program at its start, and of its loader before.
    static let looking =
        ["access", "faccessat", "faccessat2", "stat", "lstat", "readlink", "readlinkat", "statfs", "getcwd"]
        + ["getdents64", "pipe2", "capget", "capset", "getresuid", "getresgid"]
        // They only take rights away.
        + ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"]

    /// Opening files by their path.
    static let opening = ["open", "openat", "openat2", "creat"]

    /// The network, and other processes' sockets.
    static let connecting =
        ["socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmmsg"]

    /// The calls that no decoder makes, in no version: looking into other processes and ending them, new name spaces and file systems,
    /// programs for the kernel, and calls with a history of holes in it.
    static let breakingOut =
        ["fork", "vfork", "execveat", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
        + ["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp"]
        + ["pidfd_open", "pidfd_getfd", "pidfd_send_signal"]
        + ["mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsmount", "fspick"]
        + ["mount_setattr", "unshare", "setns", "open_by_handle_at", "name_to_handle_at"]
        + ["setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups"]
        + ["bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"]
        + ["keyctl", "add_key", "request_key", "init_module", "finit_module", "delete_module", "kexec_load"]
        + ["kexec_file_load", "iopl", "ioperm", "personality", "reboot", "swapon", "swapoff", "acct", "syslog"]

    /// prctl(2): names of threads; and for setpriv(1), the death signal and questions.
    static let processOptions = [
        PR_SET_NAME, PR_SET_PDEATHSIG, PR_GET_SECUREBITS, PR_GET_NO_NEW_PRIVS, PR_GET_KEEPCAPS, PR_SET_KEEPCAPS,
        PR_CAPBSET_READ, PR_CAP_AMBIENT,
    ]
}
