package import FoundationEssentials

/// Facts about the running process, for `/status` and `/metrics`.
package struct ProcessStatus: Sendable, Equatable {
    package let version: String
    package let startedAt: Date
    /// Whether this process works on the queue.
    package let isWorking: Bool
    /// Whether it is stopping and takes no new work.
    package let isDraining: Bool
    package let residentBytes: Int64
    package let openDescriptors: Int
    /// Of the disk that holds the data folder.
    package let diskFreeBytes: Int64
    package let diskTotalBytes: Int64

    /// With fewer free bytes an upload may fail soon.
    package static let scarceDiskBytes: Int64 = 1 << 30

    package init(
        version: String, startedAt: Date, isWorking: Bool, isDraining: Bool, residentBytes: Int64, openDescriptors: Int,
        diskFreeBytes: Int64, diskTotalBytes: Int64
    ) {
        self.version = version
        self.startedAt = startedAt
        self.isWorking = isWorking
        self.isDraining = isDraining
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
        self.diskFreeBytes = diskFreeBytes
        self.diskTotalBytes = diskTotalBytes
    }
}
