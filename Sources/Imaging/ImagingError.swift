package import Media

/// Why a file was not worked on. `detail` is for the log only.
package enum ImagingError: Error {
    /// It is the file's fault.
    case refused(Refusal, detail: String)
    /// It is not the file's fault.
    case failed(detail: String)

    /// As the parent process is told.
    var reply: MediaReply {
        switch self {
        case .refused(let refusal, let detail): .refused(refusal, detail: String(detail.prefix(500)))
        case .failed(let detail): .failed(detail: String(detail.prefix(500)))
        }
    }
}
