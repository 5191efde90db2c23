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
