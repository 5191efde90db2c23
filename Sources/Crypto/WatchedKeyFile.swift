internal import Foundation
internal import Synchronization

/// A key file whose keys are read again when it was replaced. One call to stat(2) tells; the file is read after a rotation
/// alone.
final class WatchedKeyFile: Sendable {
    /// What tells one state of a file from another.
    private struct Stamp: Sendable, Equatable {
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
        let bytes: Int64

        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = UInt64(status.st_ino)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
            bytes = Int64(status.st_size)
        }
    }

    private struct State: Sendable {
        var keys: SealingKeys
        var stamp: Stamp?
    }

    private let path: String
    private let state: Mutex<State>

    /// Nil when there is no file at `path`.
    init?(_ path: String) throws(CryptoError) {
        // Before the keys: a file that is replaced in between is read once more.
        let stamp = Stamp(of: path)
        guard let keys = try KeyFile.keys(path) else { return nil }
        self.path = path
        state = Mutex(State(keys: keys, stamp: stamp))
    }

    /// As the file is now. While it cannot be read, the keys that were in it last.
    var keys: SealingKeys {
        let stamp = Stamp(of: path)
        return state.withLock { state in
            guard let stamp, stamp != state.stamp else { return state.keys }
            do throws(CryptoError) {
                guard let keys = try KeyFile.keys(path) else { return state.keys }
                state = State(keys: keys, stamp: stamp)
            } catch {
                return state.keys
            }
            return state.keys
        }
    }
}
