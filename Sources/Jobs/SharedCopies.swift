internal import Blobs
internal import Crypto
internal import Domain
internal import EventLoops
internal import Glibc
internal import Logging
internal import Media
internal import Submitters
internal import System

/// What attempts make of stored files, for others that want the same at that moment: a photo for five accounts is read, compared with its
/// digest and cleaned once.
///
/// All that a copy depends on is in its key, so nobody gets one that was made by other rules.
final class SharedCopies: Sendable {
    enum Work: Hashable {
        case render(Rendition)
        case strip(StripRules)
        case tag(PictureTags)
    }

    struct Key: Hashable {
        let path: String
        let work: Work
    }

    /// Says that a file was what was stored when the first of those who hold this asked.
    final class Check: Sendable {}

    fileprivate let checks = SharedWork<SHA256Digest, Check, SubmissionError>()
    fileprivate let files = SharedWork<Key, SharedFile, MediaError>()
}

/// A file of a copy. Each attempt has a name of its own for it and deletes just that; the file goes with the last.
final class SharedFile: Sendable {
    let facts: RenderedFacts?
    private let descriptor: Int32
    private let threads: BlockingThreads

    /// Opens the file; nil when that failed.
    init?(at path: String, _ facts: RenderedFacts?, threads: BlockingThreads) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.facts = facts
        self.threads = threads
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // The last close of a deleted file frees its blocks.
        threads.start { [descriptor] in close(descriptor) }
    }

    /// Gives the file one more name, unless it has it. Returns false when that failed, such as after its last name went.
    func link(at path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { return false }
        if lstat(path, &other) == 0 { return (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino) }
        return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }
}

/// The part of one attempt in the copies of a file: holds what it got until it ends.
final class CopyShare: CopyTools {
    private let digest: SHA256Digest
    private let blobs: BlobStore
    private let copies: SharedCopies
    private let tools: any CopyTools
    private let held = Lock<[any AnyObject & Sendable]>([])

    init(_ copies: SharedCopies, of digest: SHA256Digest, in blobs: BlobStore, tools: any CopyTools) {
        self.copies = copies
        self.digest = digest
        self.blobs = blobs
        self.tools = tools
    }

    /// Brings the file here, and refuses one that is not what was stored: it must not leave.
    func check() async throws(SubmissionError) {
        let (blobs, digest) = (blobs, digest)
        let check = try await copies.checks.value(of: digest) { () async throws(SubmissionError) in
            do throws(BlobError) {
                _ = try await blobs.checkedPath(of: digest)
            } catch {
                guard let fault = BlobFault(error) else {
                    throw .temporary(
                        SubmissionProblem(Problem(.fileUnreadable), detail: logText(of: error)), retryAfter: nil)
                }
                throw .fileUnavailable(
                    SubmissionProblem(Problem(fault == .missing ? .fileMissing : .fileDamaged)))
            }
            return SharedCopies.Check()
        }
        held.withLock { $0.append(check) }
    }

    func probe(_ path: String) async throws(MediaError) -> PictureFacts { try await tools.probe(path) }

    func render(
        _ path: String, to output: String, as rendition: Rendition
    ) async throws(MediaError) -> RenderedFacts {
        let facts = try await copy(path, to: output, .render(rendition)) { [tools] () async throws(MediaError) in
            try await tools.render(path, to: output, as: rendition)
        }
        guard let facts else { throw .mixedUp }
        return facts
    }

    func strip(_ path: String, to output: String, _ rules: StripRules) async throws(MediaError) {
        _ = try await copy(path, to: output, .strip(rules)) { [tools] () async throws(MediaError) in
            try await tools.strip(path, to: output, rules)
            return nil
        }
    }

    func tag(_ path: String, to output: String, with tags: PictureTags) async throws(MediaError) {
        _ = try await copy(path, to: output, .tag(tags)) { [tools] () async throws(MediaError) in
            try await tools.tag(path, to: output, with: tags)
            return nil
        }
    }

    private func copy(
        _ path: String, to output: String, _ work: SharedCopies.Work,
        _ make: @escaping @Sendable () async throws(MediaError) -> RenderedFacts?
    ) async throws(MediaError) -> RenderedFacts? {
        // Other files are the attempt's own, and may be others by the time that somebody asks for them.
        guard path == blobs.path(of: digest) else { return try await make() }
        let threads = blobs.threads
        let key = SharedCopies.Key(path: path, work: work)
        let file = try await copies.files.value(of: key) { () async throws(MediaError) in
            let facts = try await make()
            let file = await threads.run { SharedFile(at: output, facts, threads: threads) }
            guard let file else { throw .failed(detail: "the copy could not be opened") }
            return file
        }
        held.withLock { $0.append(file) }
        // A file system without hard links has a copy for each.
        return await threads.run { file.link(at: output) } ? file.facts : try await make()
    }
}
