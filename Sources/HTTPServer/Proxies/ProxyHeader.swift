/// The binary header of the PROXY protocol, version 2, which a proxy sends before the first byte of its client.
///
/// Source: "The PROXY protocol, versions 1 & 2" (haproxy.org, proxy-protocol.txt), section 2.2. Version 1 is refused. A pure value.
struct ProxyHeader: Equatable {
    /// The client whose bytes follow; nil when the proxy speaks for itself (`LOCAL`), or tells nothing of its client.
    let client: PeerAddress?
    /// The bytes of the whole header: behind them the client begins.
    let length: Int

    /// No header, or one that is not understood.
    struct Malformed: Error, Equatable {}

    enum Reading: Equatable {
        /// So many bytes are needed from the beginning on; the next call may ask for more.
        case needs(Int)
        case header(ProxyHeader)
    }

    /// The part before addresses: signature, version and command, family and protocol, length.
    static let fixedLength = 16
    /// The most bytes of addresses and extensions that are taken. Addresses have 216 at most; the protocol would allow 65,535.
    static let longestRest = 1024

    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    /// Parses the bytes so far. Bytes that cannot begin a header are refused at once.
    static func read(_ bytes: Span<UInt8>) throws(Malformed) -> Reading {
        for index in 0..<min(bytes.count, signature.count) where bytes[index] != signature[index] { throw Malformed() }
        guard bytes.count >= fixedLength else { return .needs(fixedLength) }
        let (version, command) = (bytes[12] >> 4, bytes[12] & 15)
        let (family, transport) = (bytes[13] >> 4, bytes[13] & 15)
        let rest = Int(bytes[14]) << 8 | Int(bytes[15])
        guard version == 2, command <= 1, family <= 3, transport <= 2, rest <= longestRest else { throw Malformed() }
        let length = fixedLength + rest
        guard bytes.count >= length else { return .needs(length) }
        let client = command == 0 ? nil : try client(bytes, family: family, transport: transport, rest: rest)
        return .header(ProxyHeader(client: client, length: length))
    }

    /// The source address, which stands first. The type-length-values after the addresses have no use here.
    private static func client(
        _ bytes: Span<UInt8>, family: UInt8, transport: UInt8, rest: Int
    ) throws(Malformed) -> PeerAddress? {
        // The receiver may use the real address when the proxy does not know the client's.
        guard family != 0, transport != 0 else { return nil }
        guard transport == 1 else { throw Malformed() }
        let (source, addresses) =
            switch family {
            case 1: (4, 12)
            case 2: (16, 36)
            default: (0, 216)
            }
        guard rest >= addresses else { throw Malformed() }
        return IPAddress(bytes: bytes.extracting(fixedLength..<(fixedLength + source))).map { PeerAddress($0) } ?? .unix
    }
}
