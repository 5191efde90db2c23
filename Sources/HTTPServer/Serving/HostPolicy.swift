/// The hosts that a server answers for; a request for another one is misdirected (RFC 9110, section 15.5.20).
///
/// A stranger's name that is made to resolve to this server's address comes as `Host` or `:authority`, so that a page of that
/// name reads nothing here ("DNS rebinding"). Ports are not compared: a name belongs to one owner, whatever the port.
package struct HostPolicy: Sendable {
    private let hosts: Set<ServedHost>
    /// The hosts under which media are served and nothing else.
    private let mediaHosts: Set<ServedHost>
    /// Whether it serves what no stranger can have, and whatever a trusted proxy passes on: such a proxy knows its hosts.
    let servesLocalHosts: Bool
    /// The names that listeners are bound by, for programs.
    private let listenerNames: Set<ServedHost>

    /// Serves these hosts. Under the listener's own address, and under the names of `listenerNames`, it serves programs alone: what has
    /// an `Authorization` field and no cookie, and routes that are open to programs without a token. Under `mediaHosts` it serves the
    /// routes of media alone, so that no page runs there.
    package static func only(
        _ hosts: some Sequence<ServedHost>, mediaHosts: some Sequence<ServedHost> = [],
        listenerNames: some Sequence<ServedHost>
    ) -> HostPolicy {
        HostPolicy(
            hosts: Set(hosts), mediaHosts: Set(mediaHosts), servesLocalHosts: false, listenerNames: Set(listenerNames))
    }

    /// Serves every literal address, every name that nobody can register, these hosts, and what trusted proxies pass on.
    package static func local(
        and hosts: some Sequence<ServedHost>, mediaHosts: some Sequence<ServedHost> = []
    ) -> HostPolicy {
        HostPolicy(hosts: Set(hosts), mediaHosts: Set(mediaHosts), servesLocalHosts: true, listenerNames: [])
    }

    /// The clients that a host is served to.
    enum Audience { case everybody, media, programs, nobody }

    /// The audience of a host; nil stands for a request of HTTP/1.0 that names none. `local` is the address at which the
    /// connection was accepted, nil for a unix socket.
    func audience(of host: ServedHost?, at local: @autoclosure () -> IPAddress?) -> Audience {
        guard let host else { return servesLocalHosts ? .everybody : .nobody }
        if hosts.contains(host) { return .everybody }
        if servesLocalHosts, host.isLocal { return .everybody }
        if mediaHosts.contains(host) { return .media }
        if servesLocalHosts { return .nobody }
        if listenerNames.contains(host) { return .programs }
        guard case .address(let address) = host, address == local() else { return .nobody }
        return .programs
    }
}

/// A host without its port, in the form in which hosts are compared.
package enum ServedHost: Hashable, Sendable {
    case address(IPAddress)
    /// In small letters, without a dot at its end.
    case name(String)

    /// Reads a name, an IPv4 address, or an IPv6 address with or without brackets; nil for anything else, a port included.
    package init?(_ text: String) {
        if let address = IPAddress(text) {
            self = .address(address)
            return
        }
        let bytes = Array(text.utf8)
        guard HostSyntax.isValid(bytes.span, 0..<bytes.count), HostSyntax.host(of: text) == text[...] else {
            return nil
        }
        self.init(authority: text)
    }

    /// The host of a valid authority.
    init(authority: String) {
        let host = HostSyntax.host(of: authority)
        let inside = host.first == "[" ? host.dropFirst().dropLast() : host
        if let address = IPAddress(String(inside)) {
            self = .address(address)
        } else {
            self = .name((host.last == "." ? host.dropLast() : host).lowercased())
        }
    }

    /// As it stands in a URL.
    package var text: String {
        switch self {
        case .address(let address): address.isV4 ? address.text : "[\(address.text)]"
        case .name(let name): name
        }
    }

    /// Whether no stranger can have it: a literal address, a name without a dot, or one below a domain that is kept for local use.
    ///
    /// Sources: RFC 6761, section 6.3 (localhost); RFC 6762, section 3 (local); RFC 8375 (home.arpa); ICANN's resolution of
    /// 2024-07-29 (internal). `lan` was never delegated, and routers hand it out.
    var isLocal: Bool {
        guard case .name(let name) = self, let dot = name.lastIndex(of: ".") else { return true }
        return Self.localDomains.contains(name[name.index(after: dot)...]) || name.hasSuffix(".home.arpa")
    }

    private static let localDomains: Set<Substring> = ["localhost", "local", "internal", "lan"]
}
