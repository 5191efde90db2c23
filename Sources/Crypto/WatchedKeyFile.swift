internal import CLinux
internal import EventLoops
internal import Glibc
internal import System

/// A key file whose keys are read again when it was replaced.
///
/// The kernel tells of a change before the call that made it returns (inotify(7)), so a question for the keys costs one read
/// that never waits for the disk. The file is looked at after a change alone.
final class WatchedKeyFile: Sendable {
    /// The facts that tell one state of a file from another.
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
        /// The file could not be read after its last change.
        var isStale = false
    }

    private let path: String
    /// An inotify descriptor; negative when the kernel has none left, and the file is looked at for every question.
    private let changes: Int32
    private let state: Lock<State>

    /// Nil when there is no file at `path`.
    init?(_ path: String) throws(CryptoError) {
        let changes = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        // Before the keys: a file that is replaced in between is read once more.
        Self.watch(path, by: changes)
        let stamp = Stamp(of: path)
        let keys: SealingKeys?
        do throws(CryptoError) { keys = try KeyFile.keys(path) } catch {
            close(changes)
            throw error
        }
        guard let keys else {
            close(changes)
            return nil
        }
        self.path = path
        self.changes = changes
        state = Lock(State(keys: keys, stamp: stamp))
    }

    deinit { close(changes) }

    /// As the file is now. While it cannot be read, the keys that were in it last; each question then tries again.
    var keys: SealingKeys {
        state.withLock { state in
            if hasChanged() || state.isStale { BlockingCall.replacedKeys.permit { renew(&state) } }
            return state.keys
        }
    }

    private func renew(_ state: inout State) {
        Self.watch(path, by: changes)
        let stamp = Stamp(of: path)
        state.isStale = true
        guard let stamp else { return }
        if stamp != state.stamp {
            do throws(CryptoError) {
                guard let keys = try KeyFile.keys(path) else { return }
                (state.keys, state.stamp) = (keys, stamp)
            } catch {
                return
            }
        }
        state.isStale = false
    }

    // MARK: Changes

    /// Watches the file, and the folders in which it is replaced: that of its name, and that of the file a link leads to.
    private static func watch(_ path: String, by changes: Int32) {
        guard changes >= 0 else { return }
        let events = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
        var places = [path, folder(of: path)]
        if let resolved = realpath(path, nil) {
            places.append(folder(of: String(cString: resolved)))
            free(resolved)
        }
        for place in places { inotify_add_watch(changes, place, UInt32(events)) }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// Takes what the kernel has told since the last call.
    private func hasChanged() -> Bool {
        guard changes >= 0 else { return true }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            var isTold = false
            while read(changes, buffer.baseAddress, buffer.count) > 0 { isTold = true }
            return isTold
        }
    }
}
