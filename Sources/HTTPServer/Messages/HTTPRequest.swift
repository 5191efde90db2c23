package import EventLoops
package import HTTP

/// A request whose head has arrived; its body may still be on the way.
package struct HTTPRequest: Sendable {
    /// Names the request in logs and responses: a sane `X-Request-ID`, or one made here.
    package let id: String
    package let method: HTTPMethod
    let head: RequestHead
    let target: RequestTarget
    /// The values of the pattern's names in the route's path.
    package let parameters: PathParameters
    package let body: RequestBody
    /// The connection's other end, and the client that a trusted proxy names.
    let origin: Origin
    /// Whether the client's request came over TLS: to this server, or to the trusted proxy that passes it on and says so.
    package let isSecure: Bool
    /// When the head was complete.
    package let receivedAt: Moment

    /// The client's address as text, or `unix`. Behind a trusted proxy, the client that it speaks for (RFC 7239), or what it calls
    /// that client.
    package var remoteAddress: String { origin.client.text }

    /// The address of the connection's other end as text, or `unix`: the client's, or the nearest proxy's.
    package var peerAddress: String { origin.peer.text }

    /// The client's address as limits count it, as text: of IPv6 its first 64 bits. Nil without an address.
    package var limitedAddress: String? { origin.client.group.map { "\($0.kind) \($0.bits)" } }

    /// The network that the client's address is in, such as `192.0.2.0/24` or `2001:db8::/64`: what may be kept for long of who has sent it.
    /// Nil without an address.
    package var network: String? { origin.client.ip?.network }

    /// The path, percent-decoded once and without dot segments.
    package var path: String { target.shownPath }

    /// The target as it stood in the request line.
    package var rawTarget: String { head.text(head.layout.target) }

    /// The query's pairs in order, decoded.
    package var query: FormFields { FormFields(head.text(target.query)) ?? FormFields() }

    /// The header fields.
    package var fields: RequestFields { RequestFields(head: head) }

    /// `host` or `host:port` as the client wrote it: the target's if that is absolute, else `Host`; nil on HTTP/1.0. Behind a
    /// trusted proxy that tells it, what the proxy was asked for.
    package var authority: String? {
        if let host = origin.host { return host }
        let range = target.authority ?? head.layout.host
        return range.isEmpty ? nil : head.text(range)
    }

    package var version: HTTPVersion {
        head.layout.isHTTP2 ? .http2 : head.layout.minorVersion == 0 ? .http10 : .http11
    }
}

/// The version of HTTP that a request came with.
package enum HTTPVersion: String, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
    case http2 = "HTTP/2"
}

/// The parts of a path that stand where a route's pattern has names in braces.
package struct PathParameters: Sendable, Equatable {
    private let names: [String]
    private let values: [String]

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The decoded segment; nil if the pattern has no such name.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

/// The header fields of a request, looked up in its bytes; names are compared without regard to case.
package struct RequestFields: Sendable {
    let head: RequestHead

    /// The values of `name` joined with ", " (RFC 9110, section 5.3), or nil if there is none.
    package subscript(name: String) -> String? { head.lines[name] }

    /// Every value of `name`, one for each line.
    package func values(_ name: String) -> [String] {
        var values: [String] = []
        forEachValue(of: name) { values.append(head.text($0)) }
        return values
    }

    /// Whether there is a line of this name.
    package func contains(_ name: String) -> Bool { head.firstValue(name) != nil }

    /// All of them, for functions that take fields of either direction.
    package var all: HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(head.layout.fieldCount)
        head.forEachLine { name, value in
            fields.add(head.text(name), head.text(value))
            return true
        }
        return fields
    }

    private func forEachValue(of name: String, _ use: (Range<Int>) -> Void) {
        head.forEachLine { lineName, value in
            if head.isName(lineName, name) { use(value) }
            return true
        }
    }
}

extension HTTPRequest {
    /// The fields that `Preconditions` looks at: conditions, `Range` and `Accept-Encoding` (RFC 9110, sections 13.1, 14.2 and
    /// 12.5.3).
    ///
    /// Without a condition or `Range` it is empty and costs nothing.
    package var conditions: HTTPFields {
        let head = fields.head
        var conditions = HTTPFields()
        guard !head.layout.mentions.isDisjoint(with: [.condition, .range]) else { return conditions }
        head.forEachLine { name, value in
            var mentions = FieldMentions()
            mentions.note(name, in: head.bytes.span)
            if !mentions.isDisjoint(with: [.condition, .range, .acceptEncoding]) {
                conditions.add(head.text(name), head.text(value))
            }
            return true
        }
        return conditions
    }
}

extension HTTPRequest {
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
