/// Header or trailer fields in the order they came; names are compared without regard to case.
///
/// A value can not break out of its line: CR, LF and NUL become spaces (RFC 9110, section 5.5).
package struct HTTPFields: Sendable, Equatable {
    /// One field line.
    package struct Field: Sendable, Equatable {
        /// The name as it was written.
        package let name: String
        /// The value without surrounding spaces.
        package let value: String
    }

    private var fields: [Field] = []

    /// Makes an empty set of fields.
    package init() {}

    /// The values of `name` joined with ", " (RFC 9110, section 5.3), or nil if there is none.
    ///
    /// `Set-Cookie` cannot be joined; read it with `values(_:)`.
    package subscript(name: String) -> String? {
        guard let first = fields.firstIndex(where: { equalsIgnoringCase($0.name, name) }) else { return nil }
        var value = fields[first].value
        for field in fields[(first + 1)...] where equalsIgnoringCase(field.name, name) {
            value += ", " + field.value
        }
        return value
    }

    /// Every value of `name`, one for each line.
    package func values(_ name: String) -> [String] {
        fields.filter { equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// Whether there is a line of this name.
    package func contains(_ name: String) -> Bool {
        fields.contains { equalsIgnoringCase($0.name, name) }
    }

    /// Appends a line; `name` must be a token, which the caller has made sure of.
    package mutating func add(_ name: String, _ value: String) {
        assert(isToken(name), "not a field name: \(name)")
        fields.append(Field(name: name, value: withoutLineBreaks(value)))
    }

    /// Replaces every line of `name` by one.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        add(name, value)
    }

    /// Removes every line of `name`.
    package mutating func remove(_ name: String) {
        fields.removeAll { equalsIgnoringCase($0.name, name) }
    }

    /// Adds all lines of `others`.
    package mutating func add(_ others: HTTPFields) { fields += others.fields }

    /// Adds those of `others` whose names are not here.
    package mutating func addMissing(_ others: HTTPFields) {
        for field in others where !contains(field.name) { add(field.name, field.value) }
    }

    /// Makes `Vary` name `name` too, if it does not yet (RFC 9110, section 12.5.5).
    package mutating func vary(by name: String) {
        guard let value = self["Vary"] else { return add("Vary", name) }
        let names = value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        if !names.contains(where: { $0 == "*" || equalsIgnoringCase($0, name) }) { set("Vary", "\(value), \(name)") }
    }

    /// Makes room for `count` lines.
    package mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }
}

extension HTTPFields: RandomAccessCollection {
    package var startIndex: Int { fields.startIndex }
    package var endIndex: Int { fields.endIndex }
    package subscript(position: Int) -> Field { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Adds the pairs in their order.
    package init(dictionaryLiteral pairs: (String, String)...) {
        for (name, value) in pairs { add(name, value) }
    }
}

/// A field value that does not follow its grammar.
package enum HTTPFieldError: Error, Equatable, CustomStringConvertible {
    /// The value of the named field could not be understood.
    case malformed(field: String)

    package var description: String {
        switch self {
        case .malformed(let field): "the field \(field) could not be understood"
        }
    }
}

/// Compares two names as HTTP does: ASCII letters without regard to case.
package func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
        && left.utf8.elementsEqual(right.utf8) { $0 == $1 || lowercaseASCII($0) == lowercaseASCII($1) }
}

private func lowercaseASCII(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}

private func withoutLineBreaks(_ value: String) -> String {
    func breaks(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }
    guard value.utf8.contains(where: breaks) else { return value }
    return String(decoding: value.utf8.map { breaks($0) ? 0x20 : $0 }, as: UTF8.self)
}
