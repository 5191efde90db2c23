/// Where requests come from, as far as it can be believed. Made once for a connection, and once more for each request of a
/// proxy that speaks for others.
final class Origin: Sendable {
    /// The other end of the socket.
    let peer: PeerAddress
    /// The sender of the requests: the other end, or the client that a trusted proxy reports.
    let client: PeerAddress
    /// Whether the client's request came over TLS; nil when no proxy says so, and the connection itself knows.
    let isSecure: Bool?
    /// The host that the client has asked for, as a trusted proxy tells it; nil when the request itself knows.
    let host: String?
    /// Whether what the requests say of others is believed: the client is a trusted proxy.
    let speaksForOthers: Bool
    /// The group that the connection is counted in. A trusted proxy brings the connections of many.
    let countedGroup: PeerAddress.Group?

    /// A connection's origin before anything was received.
    init(_ peer: PeerAddress, _ proxies: TrustedProxies) {
        self.peer = peer
        client = peer
        isSecure = nil
        host = nil
        speaksForOthers = proxies.contains(peer)
        countedGroup = speaksForOthers ? nil : peer.group
    }

    /// The same connection on behalf of another client.
    private init(
        _ connection: Origin, client: PeerAddress, isSecure: Bool?, host: String?, speaksForOthers: Bool
    ) {
        peer = connection.peer
        countedGroup = connection.countedGroup
        self.client = client
        self.isSecure = isSecure
        self.host = host
        self.speaksForOthers = speaksForOthers
    }

    /// The connection of a proxy that passes on the bytes of `client`; nil when it speaks for itself.
    func passing(_ client: PeerAddress?, _ proxies: TrustedProxies) -> Origin {
        guard let client else { return self }
        // The requests are the client's own words: believed only if it is a proxy in its turn.
        return Origin(self, client: client, isSecure: nil, host: nil, speaksForOthers: proxies.contains(client))
    }

    /// The origin of one request of this connection.
    func speaking(for told: ForwardedFor) -> Origin {
        Origin(self, client: told.client, isSecure: told.isSecure, host: told.host, speaksForOthers: speaksForOthers)
    }
}
