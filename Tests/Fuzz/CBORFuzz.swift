// Parses whatever comes as CBOR, and ends the process when what was read is not what is written again.

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let (value, used) = try? CBOR.first(in: bytes) else { return 0 }
    precondition(1...count ~= used)
    // There is one way to write a value, but for the order of a map.
    precondition(written(value) == Array(bytes.prefix(used)))
    precondition(depth(of: value) <= 9)
    precondition((try? CBOR(bytes)) == (used == count ? value : nil))
    return 0
}

private func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    func bytes(_ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - 1 - $0))) }
    }
    return switch number {
    case ..<24: [kind << 5 | UInt8(number)]
    case ..<(1 << 8): [kind << 5 | 24] + bytes(1)
    case ..<(1 << 16): [kind << 5 | 25] + bytes(2)
    case ..<(1 << 32): [kind << 5 | 26] + bytes(4)
    default: [kind << 5 | 27] + bytes(8)
    }
}

private func written(_ value: CBOR) -> [UInt8] {
    switch value {
    case .unsigned(let number): head(0, number)
    case .negative(let number): head(1, number)
    case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
    case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
    case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(written)
    case .map(let entries):
        head(5, UInt64(entries.count)) + entries.flatMap { written($0.key) + written($0.value) }
    case .bool(let isTrue): [isTrue ? 0xF5 : 0xF4]
    case .null: [0xF6]
    }
}

private func depth(of value: CBOR) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .map(let entries): 1 + (entries.map { depth(of: $0.value) }.max() ?? 0)
    default: 0
    }
}
