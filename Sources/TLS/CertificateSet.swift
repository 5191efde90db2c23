internal import CTLS

/// All certificates of one loading. It never changes; a reload makes another.
///
/// OpenSSL's contexts point back here without holding it, so whoever uses one of them holds this: a server's context, and
/// every session.
///
/// `@unchecked Sendable`: it is complete before it is shared, and OpenSSL lets any number of threads make sessions from a
/// context that nobody changes (OpenSSL 3 manual, openssl-threads).
final class CertificateSet: @unchecked Sendable {
    let certificates: [TLSCertificate]
    let ticketKeys: TicketKeys
    let protocols: ProtocolList
    private let contexts: [ContextHandle]
    private let names: ServerNames

    init(_ identities: [TLSIdentity], protocols: ProtocolList, ticketKeys: TicketKeys) throws(TLSError) {
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
        names = ServerNames(certificates.map(\.names))
        for context in contexts { try context.setCallbacks(to: self) }
    }

    /// The one for clients that name no server, or one that no certificate is for.
    var defaultContext: ContextHandle { contexts[0] }

    func context(for serverName: String) -> ContextHandle? { names.index(of: serverName).map { contexts[$0] } }
}
