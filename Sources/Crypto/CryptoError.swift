internal import CCrypto

/// Why something could not be sealed, opened or read. It never holds a key or a plain text.
package enum CryptoError: Error, Hashable, CustomStringConvertible {
    /// The sealed bytes are too short, or of a format this version does not know.
    case malformed
    /// The sealed bytes need a key that is not on the ring.
    case unknownKey(KeyID)
    /// The sealed bytes, or the context they were sealed for, are not the ones of then.
    case notAuthentic
    /// The key file cannot be used as it is.
    case keyFile(path: String, KeyFileProblem)
    /// libcrypto refused `operation`, which no input of ours should cause.
    case library(operation: String, reason: String)

    /// A fault of a key file.
    package enum KeyFileProblem: Hashable, Sendable {
        /// Others than its owner may read or change it.
        case openToOthers
        /// It is not a regular file, or belongs to another user.
        case notOurs
        /// A line is not 32 bytes in base64, or there is none.
        case badContent
        /// A system call failed with this `errno`.
        case system(call: String, code: Int32)
    }

    package var description: String {
        switch self {
        case .malformed: "the sealed bytes have an unknown format"
        case .unknownKey(let id): "the key \(id) is not on the ring"
        case .notAuthentic: "the sealed bytes were changed or belong to something else"
        case .keyFile(let path, .openToOthers): "the key file \(path) must have mode 0600"
        case .keyFile(let path, .notOurs): "the key file \(path) must be a regular file of this user"
        case .keyFile(let path, .badContent): "the key file \(path) must hold keys of 32 bytes in base64"
        case .keyFile(let path, .system(let call, let code)): "the key file \(path): \(call) failed with error \(code)"
        case .library(let operation, let reason): "libcrypto refused to \(operation): \(reason)"
        }
    }

    /// Takes the newest error off this thread's queue (OpenSSL 3 manual, ERR_get_error) and empties it.
    static func library(_ operation: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let reason = ERR_reason_error_string(code).map { String(cString: $0) }
        return .library(operation: operation, reason: reason ?? "error \(code)")
    }
}

/// The process's libcrypto.
package enum CryptoLibrary {
    /// Reads libcrypto's configuration, which it else does at its first use, on whatever thread that is, and keeps it usable until
    /// the process has ended. Call it before anything else of it is used.
    ///
    /// By itself it frees its tables in `exit`, under the hands of threads that still hash or encrypt
    /// (OPENSSL_init_crypto(3), "OPENSSL_INIT_NO_ATEXIT").
    package static func prepare() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT) | UInt64(OPENSSL_INIT_LOAD_CONFIG), nil)
    }
}
