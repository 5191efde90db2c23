internal import HTTP

// Decodes queries, form bodies and percent-encoding, and compares them with the same done byte by byte.

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // A query comes as a text whose bad bytes were replaced, a form's body as it is.
    check(String(decoding: bytes, as: UTF8.self))
    if let form = FormFields(bytes) {
        precondition(form == FormFields(String(decoding: bytes, as: UTF8.self)))
    } else if String(validating: bytes, as: UTF8.self) != nil {
        precondition(FormFields(String(decoding: bytes, as: UTF8.self)) == nil)
    }
    let encoded = PercentEncoding.encode(bytes)
    precondition(encoded.utf8.allSatisfy { 0x21...0x7E ~= $0 })
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    precondition(PercentEncoding.decode(encoded).map { Array($0.utf8) } == (isText ? bytes : nil))
    return 0
}

private func check(_ text: String) {
    if let decoded = PercentEncoding.decode(text) {
        precondition(!decoded.utf8.contains(0) && decoded.utf8.count <= text.utf8.count)
        precondition(PercentEncoding.decode(PercentEncoding.encode(decoded)) == decoded)
    }
    let form = FormFields(text, limit: 50)
    let expected = pairs(Array(text.utf8))
    precondition(form?.pairs.map(\.name) == expected?.map(\.name) && form?.pairs.map(\.value) == expected?.map(\.value))
    guard let form else { return }
    precondition(FormFields(form.encoded, limit: 50) == form)
    for pair in form.pairs {
        precondition(form.values(pair.name).contains(pair.value) && form[pair.name] != nil)
    }
}

/// The algorithm of the URL standard, section 5.1, word by word, but for what is refused.
private func pairs(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
    var pairs: [(String, String)] = []
    for sequence in bytes.split(separator: UInt8(ascii: "&")) {
        let mark = sequence.firstIndex(of: UInt8(ascii: "=")) ?? sequence.endIndex
        guard let name = decoded(sequence[..<mark]), let value = decoded(sequence[mark...].dropFirst()) else {
            return nil
        }
        pairs.append((name, value))
    }
    return pairs.count <= 50 ? pairs : nil
}

private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%") {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            rest = rest.dropFirst(2)
            decoded.append(UInt8(digits[0] << 4 | digits[1]))
        } else {
            decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
    }
    return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
}
