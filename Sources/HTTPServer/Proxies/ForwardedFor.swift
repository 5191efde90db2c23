/// The client of a trusted proxy, found in the fields it has sent.
struct ForwardedFor: Equatable {
    /// The client, or what is known instead: the address of the last proxy.
    let client: PeerAddress
    let tellsClient: Bool
    /// Nil when the proxy does not say.
    let isSecure: Bool?
    /// Nil when the proxy does not say.
    let host: String?

    enum Reading: Equatable {
        /// No such field came: the proxy speaks for itself.
        case absent
        /// Nobody knows what to believe: no more is known of the client than its proxy's address.
        case ignored
        case told(ForwardedFor)
    }

    /// Reads the fields of a request that `peer`, a trusted proxy, has sent.
    ///
    /// `Forwarded` counts before `X-Forwarded-…`. Where both came they have to agree: a proxy that writes one of them passes the
    /// other on as the client has sent it, and which one it writes is not to be seen from here. `ProxyFields` may tell.
    static func read(_ head: RequestHead, from peer: PeerAddress, _ proxies: TrustedProxies) -> Reading {
        let span = head.bytes.span
        var standard: [Range<Int>] = []
        var other = XForwardedFields.Lines()
        head.forEachLine { name, value in
            switch name.count {
            case 9 where proxies.fields != .xForwarded && span.equals("forwarded", in: name): standard.append(value)
            case 15...17 where proxies.fields == .forwarded: break
            case 15 where span.equals("x-forwarded-for", in: name): other.addresses.append(value)
            case 16 where span.equals("x-forwarded-host", in: name): other.hosts.append(value)
            case 17 where span.equals("x-forwarded-proto", in: name): other.schemes.append(value)
            default: break
            }
            return true
        }
        do throws(ForwardedHop.Malformed) {
            let first = client(try ForwardedField.hops(span, standard), peer, proxies)
            let second = client(try XForwardedFields.hops(span, other), peer, proxies)
            guard let first, let second else { return (first ?? second).map { .told($0) } ?? .absent }
            return first.agreeing(with: second).map { .told($0) } ?? .ignored
        } catch {
            return .ignored
        }
    }

    /// The client: going from the nearest hop outwards, the first that is no trusted proxy itself. Scheme and host are those that
    /// the same hop tells of. Nil without hops.
    ///
    /// Of a hop without the origin of its request, no more is known than the address of its proxy: that is not taken
    /// for the proxy's own request, which may have rights of its own.
    private static func client(
        _ hops: [ForwardedHop], _ peer: PeerAddress, _ proxies: TrustedProxies
    ) -> ForwardedFor? {
        guard !hops.isEmpty else { return nil }
        var client = peer
        var told = ForwardedHop()
        var tellsClient = true
        search: for hop in hops.reversed() {
            told = hop
            switch hop.node {
            case nil:
                client = .untold(client.text)
                tellsClient = false
                break search
            case .untold(let name):
                client = .untold(name)
                break search
            case .address(let address):
                client = PeerAddress(address)
                guard proxies.contains(address) else { break search }
            }
        }
        return ForwardedFor(client: client, tellsClient: tellsClient, isSecure: told.isSecure, host: told.host)
    }

    /// No more than the address of a proxy.
    static func nothing(but proxy: PeerAddress) -> ForwardedFor {
        ForwardedFor(client: .untold(proxy.text), tellsClient: false, isSecure: nil, host: nil)
    }

    /// The value that both tell; nil when they differ.
    private func agreeing(with other: ForwardedFor) -> ForwardedFor? {
        func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
            if let one, let other { one != other } else { false }
        }
        guard !tellsClient || !other.tellsClient || client == other.client, !differ(isSecure, other.isSecure),
            !differ(host?.lowercased(), other.host?.lowercased())
        else { return nil }
        return ForwardedFor(
            client: tellsClient ? client : other.client, tellsClient: tellsClient || other.tellsClient,
            isSecure: isSecure ?? other.isSecure, host: host ?? other.host)
    }
}
