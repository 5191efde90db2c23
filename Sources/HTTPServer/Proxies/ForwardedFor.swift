/// For whom a trusted proxy speaks, found in the fields it has sent.
struct ForwardedFor: Equatable {
    let client: PeerAddress
    /// Nil when the proxy does not say.
    let isSecure: Bool?
    /// Nil when the proxy does not say.
    let host: String?

    enum Reading: Equatable {
        /// No such field came: the proxy speaks for itself.
        case absent
        /// Nobody knows what to believe: the proxy's own address stays.
        case ignored
        case told(ForwardedFor)
    }

    /// Reads the fields of a request that `peer`, a trusted proxy, has sent.
    ///
    /// `Forwarded` counts before `X-Forwarded-…`. Where both came they have to agree: a proxy that writes one of them passes the
    /// other on as the client has sent it, and which one it writes is not to be seen from here.
    static func read(_ head: RequestHead, from peer: PeerAddress, _ proxies: TrustedProxies) -> Reading {
        let span = head.bytes.span
        var standard: [Range<Int>] = []
        var other = XForwardedFields.Lines()
        head.forEachLine { name, value in
            switch name.count {
            case 9 where span.equals("forwarded", in: name): standard.append(value)
            case 15 where span.equals("x-forwarded-for", in: name): other.addresses.append(value)
            case 16 where span.equals("x-forwarded-host", in: name): other.hosts.append(value)
            case 17 where span.equals("x-forwarded-proto", in: name): other.schemes.append(value)
            default: break
            }
            return true
        }
        do throws(ForwardedHop.Malformed) {
            let first = try standard.isEmpty ? nil : client(ForwardedField.hops(span, standard), peer, proxies)
            let second = try other.isEmpty ? nil : client(XForwardedFields.hops(span, other), peer, proxies)
            guard let first, let second else { return (first ?? second).map { .told($0) } ?? .absent }
            return first.agrees(with: second) ? .told(first) : .ignored
        } catch {
            return .ignored
        }
    }

    /// The client: going from the nearest hop outwards, the first that is no trusted proxy itself. Scheme and host are those that
    /// the same hop tells of.
    static func client(_ hops: [ForwardedHop], _ peer: PeerAddress, _ proxies: TrustedProxies) -> ForwardedFor {
        var client = peer
        var told = ForwardedHop()
        search: for hop in hops.reversed() {
            told = hop
            switch hop.node {
            case nil: break search
            case .untold(let name):
                client = .untold(name)
                break search
            case .address(let address):
                client = PeerAddress(address)
                guard proxies.contains(address) else { break search }
            }
        }
        return ForwardedFor(client: client, isSecure: told.isSecure, host: told.host)
    }

    private func agrees(with other: ForwardedFor) -> Bool {
        func agree<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
            one.flatMap { one in other.map { one == $0 } } ?? true
        }
        return client == other.client && agree(isSecure, other.isSecure)
            && agree(host?.lowercased(), other.host?.lowercased())
    }
}
