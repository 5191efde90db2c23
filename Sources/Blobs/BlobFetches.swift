internal import Crypto
internal import System

/// The blobs that are on their way from the bucket: who asks for one of them waits for it, and none comes twice at once.
final class BlobFetches: Sendable {
    private let running = Lock<[SHA256Digest: Task<Result<Void, BlobError>, Never>]>([:])

    /// Does `work`, unless somebody is doing it; it goes on when who asked is cancelled.
    func once(
        _ digest: SHA256Digest, _ work: @escaping @Sendable () async throws(BlobError) -> Void
    ) async throws(BlobError) {
        let task = running.withLock { running in
            if let task = running[digest] { return task }
            let task = Task {
                let result: Result<Void, BlobError>
                do throws(BlobError) { result = .success(try await work()) } catch { result = .failure(error) }
                self.running.withLock { $0[digest] = nil }
                return result
            }
            running[digest] = task
            return task
        }
        try await task.value.get()
    }
}
