import Foundation

/// Facts that the kernel tells of this process.
enum ProcessState {
    /// The resident memory (proc(5), statm).
    static var residentBytes: Int {
        let text = String(unsafeUninitializedCapacity: 256) { max(0, pread(statm, $0.baseAddress, $0.count, 0)) }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Stays open, so that reading it changes nothing that is looked at.
    private static let statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)

    static var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }

    /// Whether a sanitizer is part of the program: it makes everything slower and keeps memory that was let go.
    static let hasSanitizer = ["__asan_init", "__tsan_init"].contains { (name: String) in
        dlsym(nil, name) != nil
    }

    /// Takes as many descriptors as the system lets this process have. Returns their number.
    static func takeDescriptors() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Only a privileged process may have more than the hard limit.
        for wanted in [max(limit.rlim_max, 1 << 15), limit.rlim_max] {
            var raised = rlimit(rlim_cur: wanted, rlim_max: max(wanted, limit.rlim_max))
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { return Int(wanted) }
        }
        return Int(limit.rlim_cur)
    }
}
