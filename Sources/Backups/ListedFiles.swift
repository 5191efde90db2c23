internal import Crypto
internal import EventLoops
internal import System

/// The digests in `files.gz`, in their order, a few at a time.
final class ListedFiles: Sendable {
    private let lines: Lock<GzipLines>
    private let threads: BlockingThreads
    private let path: String

    private init(_ path: String, threads: BlockingThreads) throws(BackupError) {
        lines = Lock(try GzipLines(path))
        self.threads = threads
        self.path = path
    }

    /// Opens the file at `path`.
    static func open(_ path: String, threads: BlockingThreads) async throws(BackupError) -> ListedFiles {
        try await threads.run { () throws(BackupError) in try ListedFiles(path, threads: threads) }
    }

    /// The next digests, at most `count`; none at the end.
    func next(_ count: Int) async throws(BackupError) -> [SHA256Digest] {
        try await threads.run { [self] () throws(BackupError) in
            var digests: [SHA256Digest] = []
            while digests.count < count, let line = try nextLine() {
                guard let digest = line.split(separator: " ").first.flatMap({ SHA256Digest(hex: String($0)) }) else {
                    throw .damaged(path)
                }
                digests.append(digest)
            }
            return digests
        }
    }

    private func nextLine() throws(BackupError) -> String? {
        try lines.withLock { lines throws(BackupError) in try lines.next() }
    }
}
