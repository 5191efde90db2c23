internal import CLinux
internal import CVips
internal import Glibc
internal import Media

/// The restrictions that this process sets on itself before it looks at a file.
enum Confinement {
    /// Sets the limits, gives up what was inherited, and asks to die with the parent.
    static func enter(_ limits: MediaLimits) throws(ImagingError) {
        closeInherited()
        clearenv()
        // That of the machine stands in a file, which is not opened here.
        setenv("TZ", "UTC0", 1)
        guard chdir("/") == 0 else { throw failure("chdir") }
        guard pics_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0 else { throw failure("PR_SET_PDEATHSIG") }
        guard pics_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else { throw failure("PR_SET_NO_NEW_PRIVS") }
        try set(RLIMIT_CORE, to: 0)
        try set(RLIMIT_FSIZE, to: limits.fileBytes)
        try set(RLIMIT_NOFILE, to: limits.openFiles)
        // Not RLIMIT_AS: that counts libraries and mapped files too, which cost no memory of this process.
        if !SystemCallFilter.isSanitized { try set(RLIMIT_DATA, to: limits.memoryBytes) }
    }

    /// Lets the process run for `seconds` more; then it is killed by SIGXCPU.
    static func allowProcessorTime(seconds: Int) throws(ImagingError) {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { throw failure("getrusage") }
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0 else { throw failure("getrlimit") }
        limit.rlim_cur = rlim_t(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1 + seconds)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0 else { throw failure("setrlimit") }
    }

    /// Closes what a parent forgot to mark: everything but the three standard descriptors.
    private static func closeInherited() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let descriptor = Int32(name), descriptor > STDERR_FILENO, descriptor != dirfd(folder) {
                close(descriptor)
            }
        }
    }

    private static func set(_ resource: __rlimit_resource, to value: Int) throws(ImagingError) {
        var limit = rlimit(rlim_cur: rlim_t(max(0, value)), rlim_max: rlim_t(max(0, value)))
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { throw failure("setrlimit") }
    }

    private static func failure(_ call: String) -> ImagingError {
        .failed(detail: "\(call): \(String(cString: strerror(errno)))")
    }
}

/// The files that this process and all it starts may read from now on (landlock(7)): programs and libraries, and one file.
///
/// A video that takes ffmpeg over could otherwise read secrets of the same user, and show them as its picture.
package enum ReadableFiles {
    /// The folders of programs and libraries. On Debian 12 all else below `/` that these need leads to `/usr`.
    private static let programs = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache"]
    private static let (execute, readFile, readFolder) = (
        UInt64(LANDLOCK_ACCESS_FS_EXECUTE), UInt64(LANDLOCK_ACCESS_FS_READ_FILE), UInt64(LANDLOCK_ACCESS_FS_READ_DIR)
    )
    /// All rights of Landlock's first version, of Linux 5.13: the lowest thirteen bits.
    private static let all = (UInt64(1) << 13) - 1

    /// Takes everything else away from the calling thread.
    ///
    /// - Parameter input: The one file, open; nil for none.
    /// - Returns: False when this kernel has no Landlock: then nothing has changed.
    @discardableResult
    package static func restrict(to input: Int32?) -> Bool {
        let rules = pics_landlock_begin(all)
        guard rules >= 0 else { return false }
        defer { close(rules) }
        for path in programs {
            let place = open(path, O_RDONLY | O_CLOEXEC)
            guard place >= 0 else { continue }
            defer { close(place) }
            var facts = stat()
            guard fstat(place, &facts) == 0 else { continue }
            // A file has no right to be listed.
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            _ = pics_landlock_allow(rules, place, isFolder ? execute | readFile | readFolder : readFile)
        }
        if let input { _ = pics_landlock_allow(rules, input, readFile) }
        return pics_landlock_enter(rules) == 0
    }
}
