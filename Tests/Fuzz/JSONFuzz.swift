internal import HTTP

// Parses whatever comes as JSON, and ends the process when what was read is not what is written again.

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(JSONError) {
        let value = try JSONValue(parsing: bytes)
        let written = value.serialized
        let again = try? JSONValue(parsing: written)
        precondition(again == value && again?.serialized == written)
        precondition(!written.contains { $0 < 0x20 || "<>&".utf8.contains($0) })
        precondition(depth(of: value) <= 32)
    } catch {
        precondition(0...count ~= error.offset)
        // A text refused for what follows it is refused with anything behind it.
        if error.reason != .trailingBytes, error.reason != .unexpectedEnd, error.reason != .badNumber {
            precondition((try? JSONValue(parsing: bytes + Array(" ".utf8))) == nil)
        }
    }
    return 0
}

private func depth(of value: JSONValue) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let members): 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
    default: 0
    }
}
