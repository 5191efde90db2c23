package import Crypto
internal import Glibc

/// Why a blob could not be stored or read.
package enum BlobError: Error, Hashable, CustomStringConvertible {
    /// More than `limit` bytes came.
    case tooLarge(limit: Int64)
    /// The disk, or the share of it that this user may fill, is full.
    case noSpace
    /// The bytes are not the ones that were announced.
    case unexpectedDigest(expected: SHA256Digest, actual: SHA256Digest)
    /// There is no such blob.
    case notFound(SHA256Digest)
    /// The blob on the disk is not what was stored: its size differs, or it is no file.
    case damaged(SHA256Digest)
    /// The file that names the installation holds no identifier.
    case invalidInstallation(path: String)
    /// Another process writes to it.
    case inUse
    /// The bucket cannot be reached, or refuses; the reason is for an operator.
    case unavailable(String)
    /// The writer was already finished or abandoned, or has failed.
    case ended
    /// A system call failed with this `errno`.
    case system(call: String, code: Int32)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .noSpace: "the disk is full"
        case .unexpectedDigest(let expected, let actual): "expected SHA-256 \(expected), got \(actual)"
        case .notFound(let digest): "no blob \(digest)"
        case .damaged(let digest): "the blob \(digest) is damaged"
        case .invalidInstallation(let path): "\(path) holds no identifier of an installation"
        case .inUse: "another process writes to it"
        case .unavailable(let reason): "the bucket is not available: \(reason)"
        case .ended: "the blob's writer has ended"
        case .system(let call, let code): "\(call) failed with error \(code)"
        }
    }

    /// The error of the system call `call` that failed just now.
    static func last(_ call: String) -> BlobError {
        let code = errno
        return code == ENOSPC || code == EDQUOT ? .noSpace : .system(call: call, code: code)
    }
}
