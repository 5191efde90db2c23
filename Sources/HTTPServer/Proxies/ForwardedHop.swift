/// One proxy's report of the request that it has received: from which client, how, and for which host.
struct ForwardedHop: Equatable {
    /// The client of the proxy; nil when it does not say.
    var node: Node?
    /// Whether the request came over TLS; nil when the proxy does not say.
    var isSecure: Bool?
    /// `host` or `host:port` as the request had it; nil when the proxy does not say.
    var host: String?

    /// RFC 7239, section 6.
    enum Node: Equatable {
        case address(IPAddress)
        /// The proxy does not know, or says `_name` instead (section 6.3).
        case untold(String)
    }

    /// A field that does not follow its grammar; then all of them are ignored.
    struct Malformed: Error, Equatable {}

    /// The most hops that are looked at; those further from this server are ignored.
    static let limit = 32
}

extension ForwardedHop.Node {
    /// `192.0.2.1`, `[2001:db8::1]`, `unknown` or `_name`, each with or without `:port` (RFC 7239, section 6).
    ///
    /// `allowsBareIPv6` takes an IPv6 address without brackets too, as `X-Forwarded-For` has it.
    init(_ bytes: Span<UInt8>, allowsBareIPv6: Bool) throws(ForwardedHop.Malformed) {
        guard bytes.count > 0 else { throw ForwardedHop.Malformed() }
        let all = 0..<bytes.count
        if bytes[0] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), in: all) else { throw ForwardedHop.Malformed() }
            let text = bytes.text(1..<end)
            guard text.contains(":"), let address = IPAddress(text), Self.isPort(bytes, (end + 1)..<bytes.count) else {
                throw ForwardedHop.Malformed()
            }
            self = .address(address)
            return
        }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: all)
        if allowsBareIPv6, let colon, bytes.firstIndex(of: UInt8(ascii: ":"), in: (colon + 1)..<bytes.count) != nil {
            guard let address = IPAddress(bytes.text(all)) else { throw ForwardedHop.Malformed() }
            self = .address(address)
            return
        }
        let name = 0..<(colon ?? bytes.count)
        guard Self.isPort(bytes, name.upperBound..<bytes.count) else { throw ForwardedHop.Malformed() }
        if bytes.equals("unknown", in: name) {
            self = .untold("unknown")
        } else if Self.isHiddenName(bytes, name) {
            self = .untold(bytes.text(name.prefix(Self.longestName)))
        } else {
            guard let address = IPAddress(bytes.text(name)) else { throw ForwardedHop.Malformed() }
            self = .address(address)
        }
    }

    /// The part of a name that is kept.
    private static let longestName = 64

    /// Nothing, or a colon with one to five digits or a name (RFC 7239, section 6).
    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        guard bytes[range.lowerBound] == UInt8(ascii: ":") else { return false }
        let port = (range.lowerBound + 1)..<range.upperBound
        if isHiddenName(bytes, port) { return true }
        guard 1...5 ~= port.count else { return false }
        for index in port where !bytes[index].isDigit { return false }
        return true
    }

    /// `_` and at least one letter, digit, `.`, `_` or `-` (RFC 7239, section 6.3).
    private static func isHiddenName(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "_") else { return false }
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                continue
            default: return false
            }
        }
        return true
    }
}

extension Span<UInt8> {
    func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The host as text, if it is one (`HostSyntax`).
    func host(_ range: Range<Int>) throws(ForwardedHop.Malformed) -> String {
        guard HostSyntax.isValid(self, range) else { throw ForwardedHop.Malformed() }
        return text(range)
    }
}
