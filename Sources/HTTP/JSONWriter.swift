package import FoundationEssentials

/// Writes a JSON text from its begin to its end (RFC 8259), for responses that are asked for often: no value is built first.
///
/// The bytes are those that the same `JSONValue` gives. Names stand in the code: they hold nothing that has to be escaped, and
/// an object does not get one twice.
package struct JSONWriter: ~Copyable {
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// Makes the text of one value.
    ///
    /// - Parameters:
    ///   - capacity: The bytes to make room for at once.
    ///   - write: Writes one value.
    /// - Returns: The text in UTF-8.
    package static func text(capacity: Int = 2048, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(capacity)
        write(&writer)
        return writer.bytes
    }

    // MARK: Values

    /// An object, or the next element of an array that is one.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Any value, or the next element of an array.
    package mutating func value(_ value: JSONValue) {
        separate()
        value.write(to: &bytes)
    }

    // MARK: Members of an object

    /// A text, or null.
    package mutating func member(_ name: StaticString, _ text: String?) {
        begin(name)
        if let text { writeString(text, to: &bytes) } else { writeNull() }
    }

    /// A whole number, or null.
    package mutating func member(_ name: StaticString, _ number: Int64?) {
        begin(name)
        if let number { write(number) } else { writeNull() }
    }

    /// A whole number, or null.
    package mutating func member(_ name: StaticString, _ number: Int?) { member(name, number.map { Int64($0) }) }

    /// True or false.
    package mutating func member(_ name: StaticString, _ value: Bool) {
        begin(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// RFC 3339 in UTC with milliseconds, or null.
    package mutating func member(_ name: StaticString, _ date: Date?) {
        begin(name)
        if let date { writeString(Timestamp(date).description, to: &bytes) } else { writeNull() }
    }

    /// RFC 3339 with milliseconds by a clock with this offset, in minutes; in UTC when it is nil.
    package mutating func member(_ name: StaticString, _ date: Date?, offset: Int?) {
        begin(name)
        if let date { writeString(Timestamp(date, offset: offset).description, to: &bytes) } else { writeNull() }
    }

    /// Any value.
    package mutating func member(_ name: StaticString, _ value: JSONValue) {
        begin(name)
        value.write(to: &bytes)
    }

    /// An object.
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        begin(name)
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// An array; `write` writes one value for each item.
    package mutating func array<Items: Sequence>(
        _ name: StaticString, _ items: Items, _ write: (inout JSONWriter, Items.Element) -> Void
    ) {
        begin(name)
        enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in for item in items { write(&writer, item) } }
    }

    // MARK: Bytes

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func enclose(_ opening: UInt8, _ closing: UInt8, _ write: (inout JSONWriter) -> Void) {
        bytes.append(opening)
        isFirst = true
        write(&self)
        bytes.append(closing)
        isFirst = false
    }

    private mutating func writeNull() { bytes.append(contentsOf: "null".utf8) }

    private mutating func write(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }
}
