import Domain
import FoundationEssentials
import Glibc
import Synchronization

/// The facts of the process in `/status`.
final class ProcessFacts: Sendable {
    private let startedAt = Date()
    private let isWorking: Bool
    private let folder: String
    private let draining = Atomic(false)

    init(isWorking: Bool, folder: String) {
        self.isWorking = isWorking
        self.folder = folder
    }

    func beginDraining() { draining.store(true, ordering: .relaxed) }

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func read() -> ProcessStatus {
        var disk = statvfs()
        let isKnown = statvfs(folder, &disk) == 0
        let block = Int64(disk.f_frsize)
        return ProcessStatus(
            version: version, startedAt: startedAt, isWorking: isWorking,
            isDraining: isDraining, residentBytes: Self.residentBytes(),
            openDescriptors: Self.openDescriptors(), diskFreeBytes: isKnown ? Int64(disk.f_bavail) * block : 0,
            diskTotalBytes: isKnown ? Int64(disk.f_blocks) * block : 0)
    }

    /// The second number of /proc/self/statm, in pages (proc(5)).
    private static func residentBytes() -> Int64 {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let numbers = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = Int64(numbers[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // ".", ".." and the folder itself.
        return max(0, count - 3)
    }
}
