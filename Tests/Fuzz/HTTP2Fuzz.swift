internal import HTTP

// Reads what HTTP/2 brings beside nghttp2: the heads of frames, in any pieces, and header fields, whatever they hold.

/// The function that libFuzzer calls with every input: the first byte chooses what is read and how it is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    if start[0] & 1 == 0 {
        let step = Int(start[0] >> 1) % 40 + 1
        precondition(frames(bytes, step: step) == frames(bytes, step: max(1, bytes.count)))
    } else {
        checkBlock(bytes, hasEnded: start[0] & 2 == 0)
    }
    return 0
}

private func frames(_ bytes: [UInt8], step: Int) -> [[Int]] {
    var scanner = FrameScanner()
    var heads: [[Int]] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
        bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { piece in
            scanner.scan(piece) { heads.append([$0.length, Int($0.type), Int($0.flags)]) }
        }
    }
    precondition(heads.count <= bytes.count / 9)
    return heads
}

/// Fields with NUL between names and values: no field becomes two, or a part of the request line.
private func checkBlock(_ bytes: [UInt8], hasEnded: Bool) {
    var block = HeaderBlock()
    var regular = 0
    var cookies = 0
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
        // nghttp2 lets pass: a name in small letters, values without CR, LF and NUL.
        let name = parts[index].first == UInt8(ascii: ":") ? Array(parts[index].dropFirst()) : parts[index]
        guard !name.isEmpty, name.allSatisfy({ $0.isToken && $0 == $0.lowercased }) else { continue }
        let goesOn = parts[index].withUnsafeBufferPointer { name in
            parts[index + 1].withUnsafeBufferPointer { block.add(name, $0, .init()) }
        }
        guard goesOn else { return }
        switch String(decoding: parts[index], as: UTF8.self) {
        // Crumbs of nothing are nothing.
        case "cookie": cookies = max(cookies, min(1, parts[index + 1].count))
        case let name where name == "host" || name.hasPrefix(":"): break
        default: regular += 1
        }
    }
    guard let head = try? block.head(.init(), hasEnded: hasEnded) else { return }
    precondition(head.layout.fieldCount == 1 + regular + cookies && head.layout.isHTTP2)
    precondition(hasEnded == (head.layout.framing == .none) || head.layout.framing == .sized(0))
    guard let target = try? RequestTarget(head) else { return }
    precondition(target.path == "*" || target.path.utf8.first == UInt8(ascii: "/"))
}
