package import Foundation
internal import System

/// What all TLS sessions of a server share: certificates, protocols and ticket keys.
///
/// TLS 1.2 and 1.3, no compression, no renegotiation, no early data, no OCSP stapling. Sessions are resumed by tickets
/// alone, whose keys live in this object: another process, or a restart, means full handshakes.
package final class TLSServerContext: Sendable {
    /// The first is for clients that name no server, or an unknown one.
    package let identities: [TLSIdentity]

    private let protocols: ProtocolList
    private let ticketKeys: TicketKeys
    private let loaded: Lock<CertificateSet>

    /// Reads the files, which blocks for a moment.
    ///
    /// - Parameters:
    ///   - identities: At least one. A client that names a server (SNI) gets the first whose certificate has that name,
    ///     whole or by a wildcard; several certificates for one name, such as RSA and ECDSA, are not told apart.
    ///   - protocols: What ALPN offers, the preferred one first, such as `["h2", "http/1.1"]`. A client that offers only
    ///     others is refused; one without ALPN is not. Empty: ALPN is not spoken.
    /// - Throws: What is wrong with a file, or with the arguments.
    package convenience init(identities: [TLSIdentity], protocols: [String]) throws(TLSError) {
        try self.init(identities: identities, protocols: protocols, ticketKeys: TicketKeys())
    }

    init(identities: [TLSIdentity], protocols: [String], ticketKeys: TicketKeys) throws(TLSError) {
        self.identities = identities
        self.protocols = try ProtocolList(protocols)
        self.ticketKeys = ticketKeys
        loaded = Lock(try CertificateSet(identities, protocols: self.protocols, ticketKeys: ticketKeys))
    }

    /// Reads all files again, for sessions that begin afterwards; those that are open, or shaking hands, keep what they
    /// have. Blocks for a moment, so not on an event loop.
    ///
    /// - Throws: When any file is not right; then everything stays as it was.
    package func reload() throws(TLSError) {
        let new = try CertificateSet(identities, protocols: protocols, ticketKeys: ticketKeys)
        loaded.withLock { $0 = new }
    }

    /// What the certificates in use say, in the order of `identities`.
    package var certificates: [TLSCertificate] { current.certificates }

    /// What should be logged of the certificates in use at `now`, after a start or a reload.
    package func warnings(at now: Date = Date()) -> [TLSWarning] { certificates.compactMap { $0.warning(at: now) } }

    var current: CertificateSet { loaded.withLock { $0 } }
}
