internal import Domain
internal import System

/// One request on its way, which its caller may cancel at any moment.
final class MediaWork: Sendable {
    private struct State {
        var isCancelled = false
        var child: MediaChild?
    }

    private let state = Lock(State())

    /// Notes the child that works on it; `false` when it was cancelled before.
    func begin(with child: MediaChild) -> Bool {
        state.withLock { state in
            state.child = child
            return !state.isCancelled
        }
    }

    /// Lets go of the child, which from now on is not killed any more; `false` when it already was.
    func finish() -> Bool {
        state.withLock { state in
            state.child = nil
            return !state.isCancelled
        }
    }

    /// Kills the child that works on it.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.child?.kill()
        }
    }
}

/// Whose picture work it is, and how soon it is wanted.
package struct MediaTurn: Sendable, Equatable {
    package enum Priority: Int, Sendable {
        /// The owner waits for it, or one of their posts.
        case owner
        /// It is made for a view, or ahead of one.
        case view
    }

    /// Nil for Pics itself.
    let owner: UserID?
    let priority: Priority

    init(owner: UserID?, priority: Priority = .owner) {
        self.owner = owner
        self.priority = priority
    }
}

/// The role of a `pics-media` process; a process of one role can do nothing of the other.
package enum MediaRole: String, Sendable {
    /// Answers all but `frame`. It starts no program and opens no file.
    case pictures
    /// Answers `frame` alone, for which it starts ffmpeg.
    case videos
    /// Answers `ArchiveRequest` alone, for one archive. It starts no program and opens no file.
    case archives
}
