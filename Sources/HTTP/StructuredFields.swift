/// Reads a boolean item such as `Upload-Complete: ?1` (RFC 9651, section 3.3.6). Parameters are ignored; nil for anything
/// else, which counts as a field that is not there.
package func structuredBoolean(_ fieldValue: String) -> Bool? {
    var scanner = FieldScanner(fieldValue)
    guard scanner.skip("?"), let digit = scanner.run(while: { $0 == 0x30 || $0 == 0x31 }), digit.utf8.count == 1,
        scanner.parameters() != nil, scanner.isAtEnd
    else { return nil }
    return digit == "1"
}

/// Reads an integer item of zero or more, of at most 15 digits (RFC 9651, section 3.3.1). Parameters are ignored; nil for
/// anything else, a negative number too.
package func structuredNatural(_ fieldValue: String) -> Int64? {
    var scanner = FieldScanner(fieldValue)
    scanner.skipSpaces()
    guard let digits = scanner.run(while: { 0x30...0x39 ~= $0 }), digits.utf8.count <= 15,
        scanner.parameters() != nil, scanner.isAtEnd
    else { return nil }
    return Int64(digits)
}

/// Reads a dictionary of byte sequences such as `Repr-Digest: sha-256=:MDE…=:` (RFC 9530, section 2; RFC 9651, section
/// 3.3.5). Keys in small letters as they came; a later one counts. Nil when it is malformed.
///
/// The bytes stay in base64, which their reader decodes.
package func structuredDigests(_ fieldValue: String) -> [String: String]? {
    var scanner = FieldScanner(fieldValue)
    var digests: [String: String] = [:]
    repeat {
        scanner.skipSpaces()
        guard let key = scanner.run(while: isKeyByte), scanner.skip("="), scanner.skip(":"),
            let value = scanner.run(while: isBase64Byte), scanner.skip(":"), scanner.parameters() != nil
        else { return nil }
        digests[key] = value
    } while scanner.skip(",")
    return scanner.isAtEnd ? digests : nil
}

private func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"):
        true
    default: false
    }
}

private func isBase64Byte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
        true
    default: false
    }
}

/// Reads a string item such as an `Idempotency-Key` (RFC 9651, section 3.3.3).
///
/// Clients send it in quotes or bare; the two mean the same key.
///
/// - Parameters:
///   - fieldValue: The field value as received, without surrounding spaces.
///   - limit: The greatest number of characters.
/// - Returns: From 1 to `limit` visible ASCII characters; quoted ones may hold spaces. Nil for anything else.
package func structuredString(_ fieldValue: String, limit: Int = 255) -> String? {
    var scanner = FieldScanner(fieldValue)
    let isQuoted = fieldValue.hasPrefix("\"")
    let isBareByte = { (byte: UInt8) in 0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",") }
    let text = isQuoted ? scanner.quotedString() : scanner.run(while: isBareByte)
    guard let text, scanner.isAtEnd, 1...limit ~= text.utf8.count, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
        return nil
    }
    return text
}
