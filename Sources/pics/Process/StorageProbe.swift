import Blobs
import EventLoops
import Glibc

/// Finds out whether photos can be stored: looks at the disk's state, and writes a small file where photos begin.
///
/// Asked when somebody asks, at most every few seconds; a disk that hangs keeps nobody waiting for longer than a second.
actor StorageProbe {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// With less, PostgreSQL and the next photos would fill the disk.
    private static let leastFreeBytes: UInt64 = 64 << 20
    private static let age = Duration.seconds(3)
    private static let timeout = Duration.seconds(1)

    private let blobs: BlobStore
    private let folder: String
    private let threads: BlockingThreads
    private var known: (trouble: String?, at: Moment)?
    private var isLooking = false

    init(blobs: BlobStore, folder: String, threads: BlockingThreads, loop: EventLoop) {
        self.blobs = blobs
        self.folder = folder
        self.threads = threads
        self.loop = loop
    }

    /// Why no photo can be stored, in a sentence that anybody may read; nil when one can.
    func trouble() async -> String? {
        if let known, Moment.now - known.at < Self.age { return known.trouble }
        if !isLooking {
            isLooking = true
            Task(executorPreference: loop) { await self.look() }
        }
        let end = Moment.now + Self.timeout
        while isLooking, Moment.now < end {
            do { try await loop.sleep(for: .milliseconds(5)) } catch { break }
        }
        return isLooking ? "The disk does not answer." : known?.trouble
    }

    private func look() async {
        var trouble = await threads.run { [folder] in Self.trouble(ofDiskAt: folder) }
        if trouble == nil {
            do throws(BlobError) {
                try await blobs.probe()
            } catch {
                trouble = Self.sentence(error)
            }
        }
        known = (trouble, .now)
        isLooking = false
    }

    private static func trouble(ofDiskAt folder: String) -> String? {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return "The data folder cannot be looked into." }
        if disk.f_flag & UInt(ST_RDONLY) != 0 { return "The disk is read-only." }
        let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
        if free <= leastFreeBytes { return "The disk is full: \(free >> 20) MiB are free." }
        // Some file systems, such as btrfs, count none.
        if disk.f_files > 0, disk.f_favail == 0 { return "The disk is full: it has no room for another file." }
        return nil
    }

    private static func sentence(_ error: BlobError) -> String {
        switch error {
        case .noSpace: "The disk is full."
        case .system(_, EROFS): "The disk is read-only."
        case .system(_, EIO): "The disk reports errors."
        case .unavailable: "The object store does not respond as expected."
        default: "Photos cannot be stored: \(error)."
        }
    }
}
