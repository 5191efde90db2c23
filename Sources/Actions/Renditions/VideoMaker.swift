package import Blobs
package import Domain
package import EventLoops
internal import FoundationEssentials
internal import Glibc
package import Media
package import Store

/// Makes public copies of videos on first view, without position and names and with their tables first, and remembers them by
/// content; two views at once make one copy.
package actor VideoMaker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: PicsStore
    private let blobs: BlobStore
    private let media: MediaPool
    private let folder: String
    private var underWay: [BlobID: Task<RenditionRecord, any Error>] = [:]
    /// Videos that cannot be cleaned, and why.
    private var refused: [BlobID: MediaError] = [:]
    private static let rememberedRefusals = 10_000
    private var made = 0

    /// Takes what it works with; in `folder` copies are made before they become blobs.
    package init(store: PicsStore, blobs: BlobStore, media: MediaPool, folder: String, loop: EventLoop) {
        self.store = store
        self.blobs = blobs
        self.media = media
        self.folder = folder
        self.loop = loop
    }

    /// The copy, made if need be; `mayMake` is asked before, and refuses by throwing.
    ///
    /// - Throws: `MediaError.refused(.unsupported)` when the video's private content cannot be told apart from its pictures.
    package func video(of photo: Photo, mayMake: @Sendable () throws -> Void) async throws -> RenditionRecord {
        if let known = try await store.rendition(PublicVideo.name, of: photo.blob) { return known }
        if let refusal = refused[photo.blob] { throw refusal }
        if let task = underWay[photo.blob] { return try await task.value }
        try mayMake()
        let task = Task { try await make(photo) }
        underWay[photo.blob] = task
        defer { underWay[photo.blob] = nil }
        do {
            return try await task.value
        } catch let error as MediaError {
            if case .refused = error {
                if refused.count >= Self.rememberedRefusals { refused = [:] }
                refused[photo.blob] = error
            }
            throw error
        }
    }

    private func make(_ photo: Photo) async throws -> RenditionRecord {
        guard let width = photo.width, let height = photo.height else { throw StoreError.notFound }
        made += 1
        let path = "\(folder)/video-\(ProcessInfo.processInfo.processIdentifier)-\(loop.name)-\(made)"
        defer { blobs.threads.start { unlink(path) } }
        let original = try await blobs.checkedPath(of: photo.blob.digest)
        try await media.working(for: photo.owner, .view).strip(
            original, to: path, StripRules(movesTablesFirst: true))
        let stored = try await blobs.put(fileAt: path)
        let record = RenditionRecord(
            name: PublicVideo.name, blob: BlobID(stored.digest), mediaType: photo.mediaType, bytes: stored.bytes,
            width: width,
            height: height)
        try await store.addRendition(record, of: photo.blob)
        return record
    }
}
