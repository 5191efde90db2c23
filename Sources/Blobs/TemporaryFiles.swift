package import EventLoops
internal import Foundation

extension BlockingThreads {
    /// Does `work`, then removes the files at `paths`, which need not be there.
    ///
    /// A file that cannot be removed stays: who keeps a folder for such files deletes old ones when it starts.
    package func removing<Value, Failure: Error>(
        _ paths: [String], after work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        await remove(paths)
        return try result.get()
    }

    /// Removes the files at `paths`, which need not be there.
    package func remove(_ paths: [String]) async {
        await run { for path in paths { unlink(path) } }
    }
}
