internal import CTLS
internal import Glibc

/// Why certificates or a session could not be set up. It never holds a key or what a client said.
package enum TLSError: Error, Hashable, CustomStringConvertible {
    /// A server needs at least one identity.
    case noIdentity
    /// An ALPN protocol's name must have 1 to 255 bytes (RFC 7301, section 3.1), and all together below 64 KiB.
    case badProtocolName(String)
    /// A file cannot be used as it is.
    case file(path: String, FileProblem)
    /// The private key belongs to another certificate.
    case keyDoesNotFit(certificate: String, key: String)
    /// OpenSSL refused `operation`, which no file and no client should cause.
    case library(operation: String, reason: String)

    /// A fault of a PEM file.
    package enum FileProblem: Hashable, Sendable {
        /// There is no certificate in PEM form.
        case noCertificate
        /// There is no private key in PEM form.
        case noKey
        /// The private key asks for a passphrase, which nobody is there to type.
        case needsPassphrase
        /// It cannot be read, or holds what OpenSSL does not take.
        case unusable(reason: String)
    }

    package var description: String {
        switch self {
        case .noIdentity: "TLS needs a certificate and its private key"
        case .badProtocolName(let name): "the ALPN protocol name \"\(name)\" is empty or too long"
        case .file(let path, .noCertificate): "\(path) holds no certificate in PEM form"
        case .file(let path, .noKey): "\(path) holds no private key in PEM form"
        case .file(let path, .needsPassphrase): "the private key \(path) needs a passphrase; store it without one"
        case .file(let path, .unusable(let reason)): "\(path) cannot be used: \(reason)"
        case .keyDoesNotFit(let certificate, let key):
            "the private key \(key) does not fit the certificate \(certificate)"
        case .library(let operation, let reason): "OpenSSL refused to \(operation): \(reason)"
        }
    }

    static func library(_ operation: String) -> TLSError {
        .library(operation: operation, reason: ErrorQueue.take()?.reason ?? "no reason given")
    }
}

/// OpenSSL's queue of errors, one for each thread (OpenSSL 3 manual, ERR_get_error).
///
/// It is cleared before a call whose result `SSL_get_error` shall judge, and read at once when the call has failed, on the
/// same thread: between the two nothing suspends.
enum ErrorQueue {
    /// One error.
    struct Entry {
        fileprivate let code: UInt

        /// One line of OpenSSL's or the system's own words, never a client's.
        var reason: String {
            if library == ERR_LIB_SYS { return String(cString: strerror(number)) }
            return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
        }

        func `is`(_ number: Int32, of library: Int32) -> Bool { self.number == number && self.library == library }

        private var library: Int32 { ERR_GET_LIB(code) }
        private var number: Int32 { ERR_GET_REASON(code) }
    }

    /// Forgets what earlier calls on this thread left.
    static func clear() { ERR_clear_error() }

    /// The oldest error, which is the cause of those after it; the queue is empty then.
    static func take() -> Entry? {
        let code = ERR_get_error()
        ERR_clear_error()
        return code == 0 ? nil : Entry(code: code)
    }
}
