internal import Domain
internal import EventLoops
internal import System

extension OutgoingFile {
    /// All bytes of a small file, read on a thread that may wait.
    func bytes(on threads: BlockingThreads) async throws(SubmissionError) -> [UInt8] {
        do throws(ArchiveError) {
            return try await threads.run { () throws(ArchiveError) in
                let file = try OwnedDescriptor(opening: path, flags: 0)
                let content = try file.content(at: 0, atMost: Int(bytes))
                guard content.count == Int(bytes) else { throw .shortOriginal }
                return content
            }
        } catch {
            throw .temporary(
                SubmissionProblem(Problem(.fileUnreadable), detail: error.description), retryAfter: nil)
        }
    }
}
