internal import Logging

/// Why the pool did not do what it was asked.
package enum MediaError: DetailedError, Equatable, CustomStringConvertible {
    /// It is the file's fault; asking again changes nothing.
    case refused(Refusal)
    /// Too many requests wait already; try again soon.
    case busy
    /// The caller's task was cancelled; the work was stopped.
    case cancelled
    /// The pool has been stopped.
    case stopped
    /// Not the file's fault: the program is missing, a file cannot be opened, the process was killed from outside.
    /// `detail` is for the log only.
    case failed(detail: String)

    package var description: String {
        switch self {
        case .refused(.unknownType): "the file is not a picture or video of a type we take"
        case .refused(.cutOff): "the file ends too early: it was cut off on its way"
        case .refused(.damaged): "the file is damaged"
        case .refused(.tooManyPixels): "the picture has too many pixels"
        case .refused(.unsupported): "this cannot be done with a file of this type"
        case .refused(.cannotFit): "the picture cannot be made small enough"
        case .refused(.tooCostly): "the picture takes too much time or memory to read"
        case .busy: "too many pictures are waiting"
        case .cancelled: "the work was cancelled"
        case .stopped: "picture work has been stopped"
        case .failed: "the picture could not be worked on"
        }
    }

    package var detail: String {
        if case .failed(let detail) = self { "\(self): \(detail)" } else { description }
    }
}
