extension Request {
    /// Whether a program of this machine asks by itself: over the loopback interface, under a name that only this machine has, and
    /// without a sign that it passes on what somebody else asks.
    ///
    /// A page of another site that a browser here has opened asks for the name of that site, whatever address it resolves to. Never so
    /// for a unix socket, which leads here from proxies, for HTTP/1.0, which proxies speak that tell nothing of clients, and for trusted
    /// proxies, whatever they tell.
    package var isFromThisMachineItself: Bool {
        guard origin.client == origin.peer, origin.peer.ip?.isLoopback == true, !origin.speaksForOthers,
            version != .http10, let authority
        else { return false }
        let host = HostSyntax.host(of: authority)
        let literal = host.first == "[" ? host.dropFirst().dropLast() : host
        guard host.lowercased() == "localhost" || IPAddress(String(literal))?.isLoopback == true else { return false }
        return !fields.head.mentionsAClient
    }
}

extension RequestHead {
    /// The fields in which proxies tell of a client, beside those that begin with `X-Forwarded-`.
    private static let namesOfClients: Set<String> = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-original-forwarded-for",
        "true-client-ip",
        "cf-connecting-ip", "fastly-client-ip", "x-envoy-external-address",
    ]

    fileprivate var mentionsAClient: Bool {
        var isMentioned = false
        forEachLine { name, _ in
            let name = text(name).lowercased()
            isMentioned = name.hasPrefix("x-forwarded-") || Self.namesOfClients.contains(name)
            return !isMentioned
        }
        return isMentioned
    }
}
