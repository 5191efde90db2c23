internal import HTTP

// Reads what a proxy tells of its clients, and ends the process when it was understood in two ways.

/// The function that libFuzzer calls with every input: the first byte chooses what is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 3 {
    case 0: checkHeader(bytes)
    case 1: checkFields(bytes)
    default: checkAddress(String(decoding: bytes, as: UTF8.self))
    }
    return 0
}

/// The binary header: what has come so far is never refused when the whole is understood, and asks for more than there is.
private func checkHeader(_ bytes: [UInt8]) {
    let whole = Result { () throws(ProxyHeader.Malformed) in try ProxyHeader.read(bytes.span) }
    guard case .success(.header(let header)) = whole else { return }
    precondition(ProxyHeader.fixedLength...bytes.count ~= header.length)
    for count in 0..<header.length {
        let part = Result { () throws(ProxyHeader.Malformed) in try ProxyHeader.read(bytes.span.extracting(..<count)) }
        guard case .success(.needs(let wanted)) = part, count < wanted, wanted <= header.length else {
            preconditionFailure("\(part) of \(count) bytes of \(header.length)")
        }
    }
    let exact = try? ProxyHeader.read(bytes.span.extracting(..<header.length))
    precondition(exact == .header(header))
}

private let proxies = TrustedProxies([ProxyRange("10.0.0.0/8"), .unix].compactMap(\.self))

/// The fields: whatever lines come, in any order of names, what is told of them is an address and a host.
private func checkFields(_ bytes: [UInt8]) {
    let text = Array("GET / HTTP/1.1\r\nHost: h\r\n".utf8) + bytes + Array("\r\n\r\n".utf8)
    var parser = RequestParser()
    guard let layout = try? parser.parse(text.span, .init()) else { return }
    let head = RequestHead(copying: text.span, layout)
    for fields in ProxyFields.allCases {
        let trusted = TrustedProxies([.unix], fields: fields)
        guard case .told(let told) = ForwardedFor.read(head, from: .unix, trusted) else { continue }
        precondition(!told.client.text.isEmpty)
        if let ip = told.client.ip { precondition(IPAddress(ip.text) == ip && told.client.text == ip.text) }
        if let host = told.host {
            let bytes = Array(host.utf8)
            precondition(HostSyntax.isValid(bytes.span, bytes.indices))
        }
    }
    // Who trusts more proxies looks further out, and never finds a trusted one but at the end.
    guard case .told(let told) = ForwardedFor.read(head, from: .unix, proxies) else { return }
    precondition(!told.client.text.isEmpty)
}

private func checkAddress(_ text: String) {
    if let address = IPAddress(text) {
        precondition(IPAddress(address.text) == address)
        precondition(PeerAddress(address).text == address.text)
    }
    guard let range = ProxyRange(text) else { return }
    precondition(ProxyRange(range.text) == range)
}
