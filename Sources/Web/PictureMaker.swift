package import Blobs
internal import Crypto
internal import Domain
package import EventLoops
internal import Foundation
package import Media
package import Store

/// Makes public pictures on first view and remembers them by content; two views at once make one picture.
package actor PictureMaker {
    package nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let store: Store
    private let blobs: BlobStore
    private let media: MediaPool
    private let folder: String
    private var underWay: [String: Task<RenditionRecord, any Error>] = [:]
    /// What cannot be made, and why: a file that costs a process is tried once, not with each view.
    private var refused: [String: MediaError] = [:]
    private static let rememberedRefusals = 10_000
    private var made = 0

    /// Takes what it works with; in `folder` pictures are made before they become blobs.
    package init(store: Store, blobs: BlobStore, media: MediaPool, folder: String, loop: EventLoop) {
        self.store = store
        self.blobs = blobs
        self.media = media
        self.folder = folder
        self.loop = loop
    }

    /// The picture, made if need be; `mayMake` is asked before, and refuses by throwing.
    func picture(
        _ rendition: PublicRendition, of photo: Photo, mayMake: @Sendable () throws -> Void
    ) async throws -> RenditionRecord {
        if let known = try await store.renditions(of: photo.blob).first(where: { $0.name == rendition.rawValue }) {
            return known
        }
        let key = "\(photo.blob)/\(rendition.rawValue)"
        if let refusal = refused[key] { throw refusal }
        if let task = underWay[key] { return try await task.value }
        try mayMake()
        let task = Task { try await make(rendition, of: photo) }
        underWay[key] = task
        defer { underWay[key] = nil }
        do {
            return try await task.value
        } catch let error as MediaError {
            if case .refused = error {
                if refused.count >= Self.rememberedRefusals { refused = [:] }
                refused[key] = error
            }
            throw error
        }
    }

    private func make(_ rendition: PublicRendition, of photo: Photo) async throws -> RenditionRecord {
        guard let source = SHA256Digest(bytes: photo.blob.bytes) else { throw StoreError.notFound }
        made += 1
        let path = "\(folder)/picture-\(ProcessInfo.processInfo.processIdentifier)-\(loop.name)-\(made)"
        defer { unlink(path) }
        let recipe = Rendition(
            rendition.isSquare ? .square(side: rendition.side) : .inside(maxSide: rendition.side), .jpeg)
        let facts = try await media.render(blobs.path(of: source), to: path, as: recipe)
        let stored = try await blobs.put(fileAt: path)
        guard let blob = BlobID(stored.digest.bytes) else { throw StoreError.notFound }
        let record = RenditionRecord(
            name: rendition.rawValue, blob: blob, mediaType: facts.mediaType, bytes: stored.bytes, width: facts.width,
            height: facts.height)
        try await store.addRendition(record, of: photo.blob)
        return record
    }
}
