/// Why a request's body cannot be read to its end.
///
/// A handler lets these pass: the server answers them itself and closes the connection.
package enum BodyError: Error, Equatable, CustomStringConvertible {
    /// The body is larger than `limit` bytes (413).
    case tooLarge(limit: Int64)
    /// The client went away, or ended its side, before the body's end (400, if anybody is there to read it).
    case incomplete
    /// The chunked coding was broken (400).
    case malformed
    /// The client sent too little for too long (408).
    case tooSlow
    /// The reading task was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .incomplete: "the body ended too early"
        case .malformed: "the chunked body is malformed"
        case .tooSlow: "the body came too slowly"
        case .cancelled: "reading the body was cancelled"
        }
    }
}
