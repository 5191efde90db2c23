package import Media

/// Why a file was not worked on. `detail` is for the log only.
package enum ImagingError: Error {
    /// It is the file's fault.
    case refused(Refusal, detail: String)
    /// It is not the file's fault.
    case failed(detail: String)

    /// The file ends before the picture does.
    static func cutOff(_ detail: String) -> ImagingError { .refused(.cutOff, detail: detail) }

    /// The file is broken.
    static func damaged(_ detail: String) -> ImagingError { .refused(.damaged, detail: detail) }

    /// As the parent process is told.
    var reply: MediaReply {
        switch self {
        case .refused(let refusal, let detail): .refused(refusal, detail: String(detail.prefix(500)))
        case .failed(let detail): .failed(detail: String(detail.prefix(500)))
        }
    }
}
