/// Reads the field `Forwarded` (RFC 7239, section 4): elements with commas between them, the last one from the nearest proxy.
///
/// Each is a list of `name=value` with `;` between them; a value is a token or a quoted string, in which commas and semicolons
/// mean nothing. Spaces around `;` are not in the grammar, but harmless and met.
enum ForwardedField {
    /// Reads all elements of a request.
    ///
    /// - Parameters:
    ///   - bytes: The head of the request.
    ///   - lines: The values of all lines of this name; together they are one list (RFC 9110, section 5.3).
    /// - Returns: The hops in their order, at most the last `ForwardedHop.limit`.
    /// - Throws: For a string that does not end, a name twice in one element, or a value that is none.
    static func hops(_ bytes: Span<UInt8>, _ lines: [Range<Int>]) throws(ForwardedHop.Malformed) -> [ForwardedHop] {
        var elements: [Range<Int>] = []
        for line in lines { try split(bytes, line, into: &elements) }
        var hops: [ForwardedHop] = []
        for element in elements.suffix(ForwardedHop.limit) { hops.append(try hop(bytes, element)) }
        return hops
    }

    /// Splits at commas outside of quoted strings; empty elements are skipped (RFC 9110, section 5.6.1.2).
    private static func split(
        _ bytes: Span<UInt8>, _ line: Range<Int>, into elements: inout [Range<Int>]
    ) throws(ForwardedHop.Malformed) {
        var start = line.lowerBound
        var index = start
        var isQuoted = false
        while index < line.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted: index += 1
            case UInt8(ascii: ",") where !isQuoted:
                append(bytes.trimmed(start..<index), to: &elements)
                start = index + 1
            default: break
            }
            index += 1
        }
        guard !isQuoted else { throw ForwardedHop.Malformed() }
        append(bytes.trimmed(start..<line.upperBound), to: &elements)
    }

    private static func append(_ element: Range<Int>, to elements: inout [Range<Int>]) {
        if !element.isEmpty { elements.append(element) }
    }

    private static func hop(
        _ bytes: Span<UInt8>, _ element: Range<Int>
    ) throws(ForwardedHop.Malformed) -> ForwardedHop {
        var hop = ForwardedHop()
        var seen: Set<String> = []
        var index = element.lowerBound
        while index < element.upperBound {
            let byte = bytes[index]
            guard !byte.isSpaceOrTab, byte != UInt8(ascii: ";") else {
                index += 1
                continue
            }
            let (name, value) = try pair(bytes, element, &index)
            guard seen.insert(name).inserted else { throw ForwardedHop.Malformed() }
            switch name {
            case "for": hop.node = try ForwardedHop.Node(value.span, allowsBareIPv6: false)
            case "host": hop.host = try value.span.host(0..<value.count)
            case "proto": hop.isSecure = try isSecure(value.span)
            default: break
            }
        }
        return hop
    }

    /// `name=value` and the `;` behind it; the name in small letters, the value without quotes.
    private static func pair(
        _ bytes: Span<UInt8>, _ element: Range<Int>, _ index: inout Int
    ) throws(ForwardedHop.Malformed) -> (String, [UInt8]) {
        let start = index
        while index < element.upperBound, bytes[index].isToken { index += 1 }
        guard index > start, index < element.upperBound, bytes[index] == UInt8(ascii: "=") else {
            throw ForwardedHop.Malformed()
        }
        let name = bytes.text(start..<index).lowercased()
        index += 1
        let value = try value(bytes, element, &index)
        while index < element.upperBound, bytes[index].isSpaceOrTab { index += 1 }
        guard index == element.upperBound || bytes[index] == UInt8(ascii: ";") else { throw ForwardedHop.Malformed() }
        return (name, value)
    }

    /// A token, or a quoted string with its quoted pairs taken apart (RFC 9110, section 5.6.4).
    private static func value(
        _ bytes: Span<UInt8>, _ element: Range<Int>, _ index: inout Int
    ) throws(ForwardedHop.Malformed) -> [UInt8] {
        var value: [UInt8] = []
        guard index < element.upperBound, bytes[index] == UInt8(ascii: "\"") else {
            while index < element.upperBound, bytes[index].isToken {
                value.append(bytes[index])
                index += 1
            }
            guard !value.isEmpty else { throw ForwardedHop.Malformed() }
            return value
        }
        index += 1
        while index < element.upperBound, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < element.upperBound else { break }
            value.append(bytes[index])
            index += 1
        }
        guard index < element.upperBound else { throw ForwardedHop.Malformed() }
        index += 1
        return value
    }

    /// A scheme (RFC 3986, section 3.1); `https` is the secure one.
    private static func isSecure(_ scheme: Span<UInt8>) throws(ForwardedHop.Malformed) -> Bool {
        guard scheme.count > 0, case UInt8(ascii: "a")...UInt8(ascii: "z") = scheme[0].lowercased else {
            throw ForwardedHop.Malformed()
        }
        for index in scheme.indices {
            switch scheme[index].lowercased {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."):
                continue
            default: throw ForwardedHop.Malformed()
            }
        }
        return scheme.equals("https", in: 0..<scheme.count)
    }
}

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
