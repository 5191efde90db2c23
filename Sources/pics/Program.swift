import FoundationEssentials
import Glibc

/// The running program.
enum Program {
    /// Its file, links resolved.
    static let path: String = {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? CommandLine.arguments[0]
    }()

    /// Addresses for the stacks of threads and for libraries on a machine with many cores; little of it is memory.
    private static let leastAddressSpace: rlim_t = 2 << 30

    /// Refuses a limit of addresses (setrlimit(2), RLIMIT_AS) under which threads cannot start: Pics would stand still
    /// without a word.
    static func checkAddressSpace() throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < leastAddressSpace else {
            return
        }
        throw CommandFailure(
            "The address space is limited to \(limit.rlim_cur >> 20) MiB (ulimit -v); Pics needs "
                + "\(leastAddressSpace >> 20) MiB of addresses, though less memory. Limit its memory with a control group, such "
                + "as systemd's MemoryMax.")
    }
}
