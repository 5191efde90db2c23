internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Glibc
internal import Media
internal import System

/// The copies of stored files that attempts share which run at the same time: a photo for five accounts is cleaned once.
final class SharedCopies: Sendable {
    /// All that a copy depends on, so that nobody gets one that was made by other rules.
    struct Key: Hashable {
        /// Work waits in its owner's place.
        let owner: UserID
        let original: SHA256Digest
        /// As its bytes: texts that differ only in how they are written are others.
        let request: [UInt8]
    }

    let files = SharedWork<Key, SharedFile, MediaError>()
}

/// A file of a copy, under a name of its own. Attempts give it further names, which they delete themselves.
final class SharedFile: Sendable {
    let facts: RenderedFacts?
    private let path: String
    private let threads: BlockingThreads

    /// Takes over the file at `path`.
    init(_ path: String, _ facts: RenderedFacts?, threads: BlockingThreads) {
        self.path = path
        self.facts = facts
        self.threads = threads
    }

    deinit { threads.start { [path] in unlink(path) } }

    /// Gives the file one more name. Returns false when that failed, such as on a file system without hard links.
    func link(at other: String) async -> Bool {
        await threads.run { [path] in
            guard Glibc.link(path, other) == 0 else { return false }
            // A copy is deleted as left over by its age.
            utimensat(AT_FDCWD, other, nil, 0)
            return true
        }
    }
}

/// The part of one attempt in the copies of a file: it holds what it got until the attempt ends.
final class CopyShare: CopyTools {
    private struct State {
        var held: [SharedFile] = []
        var made = 0
    }

    private let digest: SHA256Digest
    private let owner: UserID
    private let blobs: BlobStore
    private let copies: SharedCopies
    private let tools: any CopyTools
    private let state = Lock(State())

    init(_ copies: SharedCopies, of digest: SHA256Digest, owner: UserID, in blobs: BlobStore, tools: any CopyTools) {
        self.copies = copies
        self.digest = digest
        self.owner = owner
        self.blobs = blobs
        self.tools = tools
    }

    convenience init(of photo: Photo, in context: WorkerContext) {
        self.init(
            context.copies, of: photo.blob.digest, owner: photo.owner, in: context.blobs,
            tools: context.media.working(for: photo.owner))
    }

    func probe(_ path: String) async throws(MediaError) -> PictureFacts { try await tools.probe(path) }

    func render(
        _ path: String, to output: String, as rendition: Rendition
    ) async throws(MediaError) -> RenderedFacts {
        let facts = try await copy(path, to: output, .render([rendition])) {
            [tools] output async throws(MediaError) in
            try await tools.render(path, to: output, as: rendition)
        }
        guard let facts else { throw .mixedUp }
        return facts
    }

    func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError) {
        _ = try await copy(path, to: output, .strip(rules)) { [tools] output async throws(MediaError) in
            try await tools.strip(path, to: output, rules)
            return nil
        }
    }

    func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
        _ = try await copy(path, to: output, .tag(tags)) { [tools] output async throws(MediaError) in
            try await tools.tag(path, to: output, with: tags)
            return nil
        }
    }

    private func copy(
        _ path: String, to output: String, _ request: MediaRequest,
        _ make: @escaping @Sendable (_ output: String) async throws(MediaError) -> RenderedFacts?
    ) async throws(MediaError) -> RenderedFacts? {
        // Other files are the attempt's own, and may be others by the time that somebody asks for them.
        guard path == blobs.path(of: digest), let key = key(of: request) else { return try await make(output) }
        let number = state.withLock { state in
            state.made += 1
            return state.made
        }
        let (shared, threads) = ("\(output)-shared-\(number)", blobs.threads)
        let file = try await copies.files.value(of: key) { () async throws(MediaError) in
            SharedFile(shared, try await make(shared), threads: threads)
        }
        guard await file.link(at: output) else { return try await make(output) }
        state.withLock { $0.held.append(file) }
        return file.facts
    }

    /// The key of a copy; nil for a request that has no bytes, such as one with a number that JSON does not have.
    func key(of request: MediaRequest) -> SharedCopies.Key? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let bytes = try? encoder.encode(request) else { return nil }
        return SharedCopies.Key(owner: owner, original: digest, request: Array(bytes))
    }
}
