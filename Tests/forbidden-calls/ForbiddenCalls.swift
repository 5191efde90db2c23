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
        case "thread": startThread()
        case "time": Int32(time(nil) > 0 ? 0 : -1)
        default: 0
        }
    }

    /// A function of the C library that Swift does not show.
    private static func hidden(_ name: String, _ first: Int, _ second: Int = 0) -> Int32 {
        guard let address = dlsym(nil, name) else { exit(66) }
        return unsafeBitCast(address, to: (@convention(c) (Int, Int, Int, Int) -> Int32).self)(first, second, 0, 0)
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
