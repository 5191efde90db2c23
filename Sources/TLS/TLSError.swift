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

    /// What is wrong with a PEM file.
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
