internal import CTLS
package import FoundationEssentials
internal import System

/// The shared state of all TLS sessions of a server: certificates, protocols and ticket keys.
///
/// TLS 1.2 and 1.3, no compression, no renegotiation, no early data, no OCSP stapling. Sessions are resumed by tickets
/// alone, whose keys live in this object: another process, or a restart, means full handshakes.
package final class TLSServerContext: Sendable {
    private let protocols: ProtocolList
    private let ticketKeys: TicketKeys
    private let loaded: Lock<CertificateSet>
    /// What answers those who ask whether a name leads here.
    package let challenges = DomainChallenges()

    /// Reads the files, which blocks for a moment.
    ///
    /// - Parameters:
    ///   - identities: At least one. A client that names a server (SNI) gets the first whose certificate has that name,
    ///     whole or by a wildcard; several certificates for one name, such as RSA and ECDSA, are not told apart.
    ///   - protocols: The protocols that ALPN offers, the preferred one first, such as `["h2", "http/1.1"]`. A client that offers only
    ///     others is refused; one without ALPN is not. Empty: ALPN is not spoken.
    /// - Throws: `TLSError`: the fault of a file, or of the arguments.
    package convenience init(identities: [TLSIdentity], protocols: [String]) throws(TLSError) {
        try self.init(identities: identities, protocols: protocols, ticketKeys: TicketKeys())
    }

    init(identities: [TLSIdentity], protocols: [String], ticketKeys: TicketKeys) throws(TLSError) {
        self.protocols = try ProtocolList(protocols)
        self.ticketKeys = ticketKeys
        loaded = Lock(
            try CertificateSet(
                identities, protocols: self.protocols, ticketKeys: ticketKeys, challenges: challenges))
    }

    /// Reads all files again, for sessions that begin afterwards; those that are open, or shaking hands, keep what they
    /// have. Blocks for a moment, so not on an event loop.
    ///
    /// - Throws: When any file is not right; then everything stays as it was.
    package func reload() throws(TLSError) { try use(identities) }

    /// As `reload`, with other identities; at least one.
    package func use(_ identities: [TLSIdentity]) throws(TLSError) {
        let new = try CertificateSet(
            identities, protocols: protocols, ticketKeys: ticketKeys, challenges: challenges)
        loaded.withLock { $0 = new }
    }

    /// The first is for clients that name no server, or an unknown one.
    package var identities: [TLSIdentity] { certificates.map(\.identity) }

    /// The facts of the certificates in use, in the order of `identities`.
    package var certificates: [TLSCertificate] { current.certificates }

    /// The warnings to log about the certificates in use at `now`, after a start or a reload.
    package func warnings(at now: Date = Date()) -> [TLSWarning] { certificates.compactMap { $0.warning(at: now) } }

    var current: CertificateSet { loaded.withLock { $0 } }
}

/// All certificates of one loading. It never changes; a reload makes another.
///
/// OpenSSL's contexts point back here without holding it, so each user of one of them holds this: a server's context, and
/// every session.
///
/// `@unchecked Sendable`: it is complete before it is shared, and OpenSSL lets any number of threads make sessions from a
/// context that nobody changes (OpenSSL 3 manual, openssl-threads).
final class CertificateSet: @unchecked Sendable {
    let certificates: [TLSCertificate]
    let ticketKeys: TicketKeys
    let protocols: ProtocolList
    let challenges: DomainChallenges
    private let contexts: [ContextHandle]
    private let names: ServerNames

    init(
        _ identities: [TLSIdentity], protocols: ProtocolList, ticketKeys: TicketKeys, challenges: DomainChallenges
    ) throws(TLSError) {
        guard !identities.isEmpty else { throw .noIdentity }
        var contexts: [ContextHandle] = []
        var certificates: [TLSCertificate] = []
        for identity in identities {
            let context = try ContextHandle()
            certificates.append(try context.load(identity))
            contexts.append(context)
        }
        self.contexts = contexts
        self.certificates = certificates
        self.protocols = protocols
        self.ticketKeys = ticketKeys
        self.challenges = challenges
        names = ServerNames(certificates.map(\.names))
        for context in contexts { try context.setCallbacks(to: self) }
    }

    /// The one for clients that name no server, or one that no certificate is for.
    var defaultContext: ContextHandle { contexts[0] }

    func context(for serverName: String) -> ContextHandle? { names.index(of: serverName).map { contexts[$0] } }
}

/// Which certificate answers for which name.
struct ServerNames {
    private var exact: [String: Int] = [:]
    /// By what follows the `*`, such as `.example.org`.
    private var wildcards: [String: Int] = [:]

    /// Takes the names of each certificate, in lower case. Of several certificates for a name the first answers.
    init(_ certificates: [[String]]) {
        for (index, names) in certificates.enumerated() {
            for name in names {
                if name.hasPrefix("*.") {
                    wildcards.insertFirst(index, for: String(name.dropFirst()))
                } else {
                    exact.insertFirst(index, for: name)
                }
            }
        }
    }

    /// The certificate for `name`, whatever its case; a whole name goes before a wildcard.
    ///
    /// A `*` stands for exactly one label, the first (RFC 6125, section 6.4.3).
    func index(of name: String) -> Int? {
        let name = name.lowercased()
        if let index = exact[name] { return index }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        return wildcards[String(name[dot...])]
    }
}

extension [String: Int] {
    fileprivate mutating func insertFirst(_ index: Int, for name: String) {
        if self[name] == nil { self[name] = index }
    }
}

/// The protocols a server speaks, in its order, as ALPN writes them: each with its length before it (RFC 7301, section 3.1).
///
/// `@unchecked Sendable`: the memory is written once, before anybody else sees it. It is memory with an address of its own
/// because a session points into it after it has chosen.
final class ProtocolList: @unchecked Sendable {
    private static let limit = 1 << 16 - 1

    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ protocols: [String]) throws(TLSError) {
        var list: [UInt8] = []
        for name in protocols {
            guard let length = UInt8(exactly: name.utf8.count), length > 0, list.count + Int(length) < Self.limit
            else { throw .badProtocolName(name) }
            list.append(length)
            list += name.utf8
        }
        bytes = .allocate(capacity: list.count)
        _ = bytes.initialize(from: list)
    }

    deinit { bytes.deallocate() }

    var isEmpty: Bool { bytes.isEmpty }

    /// The first of ours that is among `offered`, as a piece of our own list.
    func choose(from offered: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var chosen: UnsafeMutablePointer<UInt8>?
        var length: UInt8 = 0
        // With the server's list first, the server's order decides and the result points into it (OpenSSL 3 manual,
        // SSL_select_next_proto).
        let result = SSL_select_next_proto(
            &chosen, &length, bytes.baseAddress, UInt32(bytes.count), offered.baseAddress, UInt32(offered.count))
        guard result == OPENSSL_NPN_NEGOTIATED else { return nil }
        return UnsafeBufferPointer(start: chosen, count: Int(length))
    }
}
