package import Foundation

/// What a loaded certificate says about itself.
package struct TLSCertificate: Sendable, Hashable {
    /// The files it came from.
    package let identity: TLSIdentity
    /// The DNS names it is for, in lower case: its subject alternative names, or without any its common name.
    package let names: [String]
    /// The first moment it is valid.
    package let validFrom: Date
    /// The last moment it is valid.
    package let expires: Date

    /// What should be logged of the certificate at `now`. It is used all the same: an expired certificate tells a visitor
    /// more than a closed port.
    package func warning(at now: Date) -> TLSWarning? {
        if now > expires { return .expired(certificate: identity.certificateChainFile, at: expires) }
        if now < validFrom { return .notYetValid(certificate: identity.certificateChainFile, from: validFrom) }
        return nil
    }
}

/// What is wrong with a certificate that is used nevertheless.
package enum TLSWarning: Sendable, Hashable, CustomStringConvertible {
    /// The certificate of the file is too old.
    case expired(certificate: String, at: Date)
    /// The certificate of the file is for later, or the clock is wrong.
    case notYetValid(certificate: String, from: Date)

    package var description: String {
        switch self {
        case .expired(let path, let date): "the certificate \(path) expired at \(date.ISO8601Format())"
        case .notYetValid(let path, let date): "the certificate \(path) is not valid before \(date.ISO8601Format())"
        }
    }
}
