/// A JSON text as a value (RFC 8259): what bodies are built of and read with.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case int(Int64)
    /// Any other number. One that is not finite is written as null, since JSON has no word for it.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in order, each name once.
package struct JSONObject: Sendable, Equatable {
    /// One name and its value.
    package struct Member: Sendable, Equatable {
        /// Unescaped.
        package let name: String
        /// May be replaced in place.
        package var value: JSONValue
    }

    private var members: [Member] = []

    /// Makes an empty object.
    package init() {}

    /// Takes members in their order; of several with one name the last counts.
    package init(_ members: [(String, JSONValue)]) {
        for (name, value) in members { self[name] = value }
    }

    /// Takes members whose names are known to differ.
    init(unique members: [Member]) {
        self.members = members
    }

    /// The value of a member; setting a new name appends it, setting nil removes it.
    package subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: RandomAccessCollection {
    package var startIndex: Int { members.startIndex }
    package var endIndex: Int { members.endIndex }
    package subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Takes the pairs in their order; their names must differ.
    package init(dictionaryLiteral pairs: (String, JSONValue)...) {
        members = pairs.map { Member(name: $0, value: $1) }
        assert(Set(members.map(\.name)).count == members.count, "a name stands twice in a literal")
    }
}

extension JSONValue {
    /// True or false; nil for another kind, as with all of these.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// A whole number; a double counts when it is one exactly, as in `1.0` or `1e3`.
    package var int: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// Any number, rounded to the nearest double.
    package var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// A text, unescaped.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of an array.
    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether it is null; a member that is absent is nil instead.
    package var isNull: Bool { self == .null }

    /// The member of an object, or nil.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The element of an array, or nil.
    package subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue {
    /// A text, or null.
    package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
    /// True or false, or null.
    package init(_ value: Bool?) { self = value.map(JSONValue.bool) ?? .null }
    /// A whole number, or null.
    package init(_ value: Int64?) { self = value.map(JSONValue.int) ?? .null }
    /// A whole number, or null.
    package init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    /// A number, or null.
    package init(_ value: Double?) { self = value.map(JSONValue.double) ?? .null }
    /// An array of values.
    package init(_ values: [JSONValue]) { self = .array(values) }
    /// An array of texts.
    package init(_ values: [String]) { self = .array(values.map(JSONValue.string)) }
    /// An object of these members.
    package init(_ object: JSONObject) { self = .object(object) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Takes the pairs in their order; their names must differ.
    package init(dictionaryLiteral pairs: (String, JSONValue)...) {
        let members = pairs.map { JSONObject.Member(name: $0, value: $1) }
        assert(Set(members.map(\.name)).count == members.count, "a name stands twice in a literal")
        self = .object(JSONObject(unique: members))
    }
}
