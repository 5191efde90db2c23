internal import CLinux
internal import Glibc
internal import Imaging
internal import Media

/// `forbidden-calls ROLE CALL FILE`: tries, behind the filter of `pics-media`, what a picture that has taken its process over
/// would try; "videos" stands for the process that starts ffmpeg, while it works on a video. It exits with the call's errno, or with 0 if the call was let through.
@main
struct ForbiddenCalls {
    /// Linux's numbers, which Swift does not show either.
    private static let (attach, newUsers) = (16, 0x1000_0000)

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let role = MediaRole(rawValue: arguments[1]) else { exit(64) }
        // Before: it would be one of the calls.
        let parent = getppid()
        guard try SystemCallFilter.install(for: role) else { exit(65) }
        // With 67 where the kernel has no Landlock.
        if role == .videos, !ReadableFiles.restrict(to: nil), arguments[2] == "read" { exit(67) }
        exit(attempt(arguments[2], file: arguments[3], parent: parent) < 0 ? errno : 0)
    }

    private static func attempt(_ call: String, file: String, parent: pid_t) -> Int32 {
        switch call {
        case "read": open(file, O_RDONLY)
        case "library": open("/usr/bin/setpriv", O_RDONLY)
        case "write": open(file, O_WRONLY)
        case "make": open("\(file).new", O_WRONLY | O_CREAT, 0o600)
        case "internet": socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        case "unix": socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        case "exec": execv("/bin/true", [nil])
        case "fork": hidden("fork", 0)
        case "kill": kill(parent, SIGTERM)
        case "ptrace": hidden("ptrace", attach, Int(parent))
        case "mount": mount("none", "/tmp", "tmpfs", 0, nil)
        case "unshare": hidden("unshare", newUsers)
        case "limit": setFileLimit()
        case "signal thread", "own descriptor", "own descriptor ex", "choose signal", "lease", "watch", "wake up",
            "limit another",
            "own socket", "wake up by ioctl", "type into terminal", "timer", "priority", "scheduler", "queue",
            "descriptor of another",
            "memory of another", "ring", "key", "out of band", "child of another":
            signal(call, parent)
        case "descriptors": useDescriptors()
        case "thread": startThread()
        case "time": Int32(time(nil) > 0 ? 0 : -1)
        default: 0
        }
    }

    /// Calls that signal another process, change it, or look into it.
    private static func signal(_ call: String, _ parent: pid_t) -> Int32 {
        let parent = Int(parent)
        // No limit at all: one that is let through must not end the tests.
        var (event, limit, on) = (sigevent(), rlimit(rlim_cur: .max, rlim_max: .max), Int32(1))
        var (timer, letter, message) = (timer_t(bitPattern: 0), CChar(10), msghdr())
        var (owner, schedule, information) = ((Int32(1), Int32(parent)), sched_param(), siginfo_t())
        let cpu = Int(RLIMIT_CPU.rawValue)
        return switch call {
        case "signal thread": system(SYS_tgkill, parent, parent, Int(SIGTERM))
        // fcntl's commands as in asm-generic/fcntl.h and linux/fcntl.h.
        case "own descriptor": system(SYS_fcntl, 0, 8, parent)
        case "choose signal": system(SYS_fcntl, 0, 10, Int(SIGKILL))
        case "own descriptor ex": withUnsafeBytes(of: &owner) { system(SYS_fcntl, 0, 15, address($0)) }
        case "lease": system(SYS_fcntl, 0, 1024, Int(F_RDLCK))
        case "watch": system(SYS_fcntl, 0, 1026, 1)
        case "wake up": system(SYS_fcntl, 0, Int(F_SETFL), Int(O_ASYNC))
        case "limit another":
            withUnsafeBytes(of: &limit) { system(SYS_prlimit64, parent, cpu, address($0)) }
        // ioctl's requests as in asm-generic/sockios.h and asm-generic/ioctls.h.
        case "own socket": withUnsafeBytes(of: &owner.1) { system(SYS_ioctl, 0, 0x8902, address($0)) }
        case "wake up by ioctl": withUnsafeBytes(of: &on) { system(SYS_ioctl, 0, 0x5452, address($0)) }
        case "type into terminal": withUnsafeBytes(of: &letter) { system(SYS_ioctl, 0, 0x5412, address($0)) }
        case "timer":
            withUnsafeBytes(of: &event) { event in
                withUnsafeMutableBytes(of: &timer) { system(SYS_timer_create, 0, address(event), address($0)) }
            }
        case "priority": system(SYS_setpriority, 0, parent, 19)
        case "scheduler": withUnsafeBytes(of: &schedule) { system(SYS_sched_setscheduler, parent, 0, address($0)) }
        case "queue": withUnsafeBytes(of: &information) { system(SYS_rt_sigqueueinfo, parent, 15, address($0)) }
        case "descriptor of another": system(SYS_pidfd_open, parent, 0, 0)
        case "memory of another": system(SYS_process_vm_readv, parent, 0, 0)
        case "ring": system(SYS_io_uring_setup, 1, 0, 0)
        case "key": system(SYS_keyctl, 0, 0, 0)
        case "out of band": withUnsafeBytes(of: &message) { system(SYS_sendmsg, 0, address($0), 1) }
        // With CLONE_VFORK, as a process for videos starts ffmpeg.
        case "child of another": system(SYS_clone, 0x4000 | 0x8000, 0, 0)
        default: 0
        }
    }

    private static func address(_ bytes: UnsafeRawBufferPointer) -> Int { Int(bitPattern: bytes.baseAddress) }

    private static func address(_ bytes: UnsafeMutableRawBufferPointer) -> Int { Int(bitPattern: bytes.baseAddress) }

    /// Calls of libraries on their own descriptors.
    private static func useDescriptors() -> Int32 {
        let copy = fcntl(0, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0, fcntl(copy, F_GETFD) == FD_CLOEXEC, fcntl(copy, F_SETFD, 0) == 0 else { return -1 }
        let flags = fcntl(copy, F_GETFL)
        guard flags >= 0, fcntl(copy, F_SETFL, flags | O_NONBLOCK) == 0 else { return -1 }
        return fcntl(copy, F_SETFL, flags)
    }

    private static func system(_ call: Int32, _ first: Int, _ second: Int, _ third: Int) -> Int32 {
        hidden("syscall", Int(call), first, second, third)
    }

    /// A function of the C library that Swift does not show.
    private static func hidden(
        _ name: String, _ first: Int, _ second: Int = 0, _ third: Int = 0, _ fourth: Int = 0
    ) -> Int32 {
        guard let address = dlsym(nil, name) else { exit(66) }
        typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int32
        return unsafeBitCast(address, to: Function.self)(first, second, third, fourth, 0, 0, 0)
    }

    private static func setFileLimit() -> Int32 {
        var limit = rlimit(rlim_cur: 10, rlim_max: 10)
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func startThread() -> Int32 {
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { _ in nil }, nil)
        guard code == 0 else {
            errno = code
            return -1
        }
        return pthread_join(thread, nil) == 0 ? 0 : -1
    }
}
