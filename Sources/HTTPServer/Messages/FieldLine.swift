/// `name: value` (RFC 9112, section 5): no space before the colon, no line folding, no control characters.
struct FieldLine {
    let name: Range<Int>
    /// Without the spaces around it.
    let value: Range<Int>

    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFault) {
        guard !bytes[line.lowerBound].isSpaceOrTab else {
            throw .malformed("A field line begins with a space: folded lines are obsolete.")
        }
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isToken { index += 1 }
        name = line.lowerBound..<index
        guard !name.isEmpty, index < line.upperBound, bytes[index] == UInt8(ascii: ":") else {
            throw .malformed("A field line has to begin with a name, directly followed by a colon.")
        }
        let rest = (index + 1)..<line.upperBound
        index = rest.lowerBound
        while index < rest.upperBound, bytes[index].isFieldValue { index += 1 }
        guard index == rest.upperBound else { throw .malformed("A field value holds a control character.") }
        value = bytes.trimmed(rest)
    }
}
