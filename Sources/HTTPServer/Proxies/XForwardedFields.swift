/// Reads `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, which no standard describes: lists in which every proxy adds
/// one element behind, or a single element that a proxy has put in place of all.
enum XForwardedFields {
    /// The values of all lines of each name, in the head of the request.
    struct Lines: Equatable {
        var addresses: [Range<Int>] = []
        var schemes: [Range<Int>] = []
        var hosts: [Range<Int>] = []
    }

    /// The hops in their order, at most the last `ForwardedHop.limit`.
    ///
    /// - Throws: For an address that is none, a scheme other than `http` and `https`, a host that is none, or schemes or hosts
    ///   of which nobody can tell the hop: they have to be as many as addresses, or one.
    static func hops(_ bytes: Span<UInt8>, _ lines: Lines) throws(ForwardedHop.Malformed) -> [ForwardedHop] {
        let addresses = elements(bytes, lines.addresses)
        let schemes = elements(bytes, lines.schemes)
        let hosts = elements(bytes, lines.hosts)
        guard !(addresses.isEmpty && schemes.isEmpty && hosts.isEmpty) else { return [] }
        let count = max(1, addresses.count)
        guard [0, 1, count].contains(schemes.count), [0, 1, count].contains(hosts.count) else {
            throw ForwardedHop.Malformed()
        }
        var hops: [ForwardedHop] = []
        for index in max(0, count - ForwardedHop.limit)..<count {
            var hop = ForwardedHop()
            if index < addresses.count {
                hop.node = try ForwardedHop.Node(bytes.extracting(addresses[index]), allowsBareIPv6: true)
            }
            if let scheme = element(index, of: schemes) { hop.isSecure = try isSecure(bytes, scheme) }
            if let host = element(index, of: hosts) { hop.host = try bytes.host(host) }
            hops.append(hop)
        }
        return hops
    }

    private static func elements(_ bytes: Span<UInt8>, _ lines: [Range<Int>]) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        for line in lines { bytes.forEachElement(of: line) { elements.append($0) } }
        return elements
    }

    private static func element(_ index: Int, of list: [Range<Int>]) -> Range<Int>? {
        list.count == 1 ? list[0] : list.isEmpty ? nil : list[index]
    }

    private static func isSecure(_ bytes: Span<UInt8>, _ scheme: Range<Int>) throws(ForwardedHop.Malformed) -> Bool {
        if bytes.equals("https", in: scheme) { return true }
        guard bytes.equals("http", in: scheme) else { throw ForwardedHop.Malformed() }
        return false
    }
}
