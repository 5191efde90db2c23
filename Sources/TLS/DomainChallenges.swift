internal import CTLS
internal import System

/// The certificates that show a certificate authority that names lead to this server: the challenge tls-alpn-01 (RFC 8737).
///
/// Clients that offer the protocol `acme-tls/1` alone get one of these instead of the server's; everybody else never sees them.
/// The session is to be closed after its handshake.
package final class DomainChallenges: Sendable {
    /// The protocol of such a session.
    package static let protocolName = "acme-tls/1"

    private let contexts = Lock<[String: ContextHandle]>([:])

    /// Answers for no name yet.
    package init() {}

    /// Answers for `name` by `digest`, 32 bytes, from now on.
    package func answer(for name: String, digest: [UInt8]) throws(TLSError) {
        let key = try KeyPair()
        let certificate = try SelfSignedCertificate([name], key, days: 7, challenge: digest)
        let context = try ContextHandle()
        guard SSL_CTX_use_certificate(context.pointer, certificate.pointer) == 1,
            SSL_CTX_use_PrivateKey(context.pointer, key.pointer) == 1
        else { throw .library("use a certificate") }
        SSL_CTX_set_alpn_select_cb(context.pointer, chooseChallengeProtocol, nil)
        contexts.withLock { $0[name.lowercased()] = context }
    }

    /// Answers for `name` no longer.
    package func stop(for name: String) {
        contexts.withLock { $0[name.lowercased()] = nil }
    }

    /// Lets the session whose ClientHello is being read have a challenge's certificate, if it asks for that.
    func take(_ session: OpaquePointer) {
        guard let name = Self.name(askedIn: session),
            let context = contexts.withLock({ $0[name] })
        else { return }
        SSL_set_SSL_CTX(session, context.pointer)
        // Nobody comes back to such a session, and tickets are made by the server's own context.
        SSL_set_options(session, pics_tls_no_tickets)
        SSL_set_num_tickets(session, 0)
    }

    /// The name in lower case, when the one protocol that is offered is the challenge's.
    private static func name(askedIn session: OpaquePointer) -> String? {
        guard let protocols = bytes(of: TLSEXT_TYPE_application_layer_protocol_negotiation, in: session),
            Array(protocols) == [0, UInt8(protocolName.utf8.count + 1), UInt8(protocolName.utf8.count)]
                + Array(protocolName.utf8),
            let names = bytes(of: TLSEXT_TYPE_server_name, in: session)
        else { return nil }
        return hostName(in: Array(names))
    }

    private static func bytes(of type: Int32, in session: OpaquePointer) -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(session, UInt32(type), &start, &count) == 1 else { return nil }
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// The one name of a list of one: its length, the type 0, the length of the name, the name (RFC 6066, section 3).
    static func hostName(in list: [UInt8]) -> String? {
        guard list.count > 5, list[2] == UInt8(TLSEXT_NAMETYPE_host_name),
            Int(list[0]) << 8 | Int(list[1]) == list.count - 2, Int(list[3]) << 8 | Int(list[4]) == list.count - 5
        else { return nil }
        return String(decoding: list[5...], as: UTF8.self).lowercased()
    }
}

private let chooseChallengeProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenLength, offered, _, _ in
    // It is the only one offered: behind its length.
    chosen?.pointee = offered.map { $0 + 1 }
    chosenLength?.pointee = offered?.pointee ?? 0
    return SSL_TLSEXT_ERR_OK
}
