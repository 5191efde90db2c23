internal import Actions
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer

/// The parameters of a request, in whichever way its app sends them: in the query, as a form, as `multipart/form-data`, or as JSON.
///
/// `a[]=1&a[]=2` is a list, `a[b]=1` an object, and `a[][b]=1&a[][b]=2` a list of objects, as Rails and PHP read them.
struct Parameters: Equatable {
    private(set) var members: JSONObject
    /// Plain names that came more than once; the first value counts.
    private(set) var repeated: Set<String> = []

    /// In bytes, of everything but files.
    static let longest = 262_144
    private static let deepest = 4
    static let mostPairs = 1000

    init(_ members: JSONObject = JSONObject()) { self.members = members }

    init(_ fields: FormFields) {
        self.init()
        for pair in fields.pairs { add(pair.name, pair.value) }
    }

    /// Adds a pair of a form.
    mutating func add(_ name: String, _ value: String) {
        guard let keys = Self.keys(of: name) else { return }
        if keys.count == 1 {
            if members[keys[0]] != nil { repeated.insert(keys[0]) } else { members[keys[0]] = .string(value) }
        } else {
            var root = JSONValue.object(members)
            Self.set(&root, keys[...], .string(value))
            members = root.object ?? members
        }
    }

    /// `a[b][]` as `a`, `b` and an empty text; a number in brackets is one, as PHP sends it for lists. Nil for what cannot be read so.
    private static func keys(of name: String) -> [String]? {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        guard parts.count <= deepest, parts[0].utf8.count <= 200 else { return nil }
        var keys = [String(parts[0])]
        for part in parts.dropFirst() {
            guard part.hasSuffix("]") else { return [name] }
            let key = part.dropLast()
            keys.append(key.allSatisfy(\.isNumber) ? "" : String(key))
        }
        return keys
    }

    private static func set(_ value: inout JSONValue, _ keys: ArraySlice<String>, _ leaf: JSONValue) {
        guard let key = keys.first else {
            value = leaf
            return
        }
        let rest = keys.dropFirst()
        guard key.isEmpty else {
            var object = value.object ?? JSONObject()
            var child = object[key] ?? .null
            set(&child, rest, leaf)
            object[key] = child
            value = .object(object)
            return
        }
        var list = value.array ?? []
        // Within a list of objects, a name that the last one has already begins the next.
        if let next = rest.first, !next.isEmpty, let last = list.last?.object, last[next] == nil {
            var element = list.removeLast()
            set(&element, rest, leaf)
            list.append(element)
        } else {
            var element = JSONValue.null
            set(&element, rest, leaf)
            list.append(element)
        }
        value = .array(list)
    }

    // MARK: Reading

    subscript(name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }

    /// A text; numbers and truth values are taken as texts too.
    func text(_ name: String) -> String? { self[name].flatMap(Self.text) }

    /// Refuses lists and objects where a text is meant: nothing that was meant to be narrow may pass for not said.
    ///
    /// - Throws: `InvalidField`.
    func demandTexts(_ names: [String]) throws(InvalidField) {
        for name in names {
            guard let value = self[name], Self.text(value) == nil else { continue }
            throw .invalid("#/\(name)", "\(name) must be a text.")
        }
    }

    static func text(_ value: JSONValue) -> String? {
        value.string ?? value.int.map { String($0) } ?? value.double.map { "\($0)" }
            ?? value.bool.map { $0 ? "true" : "false" }
    }

    /// As Rails reads it: `0`, `f`, `false` and `off` are false, nothing is nil, and everything else is true.
    func flag(_ name: String) -> Bool? {
        guard let text = text(name), !text.isEmpty else { return nil }
        return !["0", "f", "false", "off"].contains(text.lowercased())
    }

    func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    /// The texts of a list; one text is a list of one.
    func list(_ name: String) -> [String] {
        guard let value = self[name] else { return [] }
        return (value.array ?? [value]).compactMap(Self.text)
    }

    /// The objects of a list.
    func objects(_ name: String) -> [Parameters] {
        (self[name]?.array ?? []).compactMap { $0.object.map { Parameters($0) } }
    }
}

extension HTTPRequest {
    /// The parameters of the body, and of the query unless those do not count.
    ///
    /// - Throws: `InvalidField` for a body that cannot be read; `BodyError`.
    func parameters(withQuery: Bool = true) async throws -> Parameters {
        var parameters = Parameters()
        let type = fields["Content-Type"].flatMap { MediaType($0) }
        if let type, type.essence == "multipart/form-data" {
            for pair in try await texts(of: type).pairs { parameters.add(pair.name, pair.value) }
        } else {
            let body = try await body.collect(upTo: Parameters.longest)
            if type?.essence == "application/json" || type?.subtype.hasSuffix("+json") == true {
                parameters = try Self.json(body)
            } else if !body.isEmpty {
                guard type == nil || type?.essence == "application/x-www-form-urlencoded" else {
                    throw InvalidField.invalid("#", "Send a form or JSON.")
                }
                guard let form = FormFields(body, limit: Parameters.mostPairs) else {
                    throw InvalidField.invalid("#", "The form cannot be read.")
                }
                for pair in form.pairs { parameters.add(pair.name, pair.value) }
            }
        }
        guard withQuery else { return parameters }
        for pair in query.pairs { parameters.add(pair.name, pair.value) }
        return parameters
    }

    private static func json(_ body: [UInt8]) throws(InvalidField) -> Parameters {
        guard !body.isEmpty else { return Parameters() }
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: body) } catch {
            throw .invalid("#", "The body is not JSON: \(error).")
        }
        guard let members = value.object else { throw .invalid("#", "The body must be a JSON object.") }
        guard !value.holdsNUL else { throw .invalid("#", "A text holds U+0000.") }
        return Parameters(members)
    }

    /// The texts of a form without files.
    private func texts(of type: MediaType) async throws -> FormFields {
        var reader = try MultipartReader(type)
        let bytes = try await body.collect(upTo: 2 * Parameters.longest)
        try await reader.feed(bytes[...])
        try reader.finish()
        return reader.texts
    }
}

extension JSONValue {
    /// Whether one of its texts or names holds U+0000, which no form can send and the database does not take.
    fileprivate var holdsNUL: Bool {
        if let text = string { return text.utf8.contains(0) }
        if let list = array { return list.contains(where: \.holdsNUL) }
        return object?.contains { $0.name.utf8.contains(0) || $0.value.holdsNUL } ?? false
    }
}

/// A `multipart/form-data` body that is read as it comes: texts are collected, and the bytes of files go where the caller takes them.
struct MultipartReader {
    private enum Part {
        case none
        case file
        case text(name: String, bytes: [UInt8])
    }

    private(set) var texts = FormFields()
    private var parser: MultipartParser
    private var part = Part.none
    private var textBytes = 0

    init(_ type: MediaType) throws(InvalidField) {
        do throws(MultipartError) {
            parser = try MultipartParser(mediaType: type, limits: MultipartParser.Limits(parts: 200))
        } catch {
            throw Self.unreadable(error)
        }
    }

    /// Takes the next bytes. `begin` is asked of each part whether it is a file, whose bytes then go to `write`; it gets the texts that
    /// have come before.
    mutating func feed(
        _ chunk: ArraySlice<UInt8>, begin: (PartHeaders, FormFields) async throws -> Bool = { _, _ in false },
        write: (ArraySlice<UInt8>) async throws -> Void = { _ in }
    ) async throws {
        let events: [MultipartParser.Event]
        do throws(MultipartError) { events = try parser.feed(chunk) } catch { throw Self.unreadable(error) }
        for event in events {
            switch event {
            case .partBegin(let headers):
                part = try await begin(headers, texts) ? .file : .text(name: headers.name, bytes: [])
            case .bytes(let slice):
                switch part {
                case .none: break
                case .file: try await write(slice)
                case .text(let name, var bytes):
                    textBytes += slice.count
                    guard textBytes <= Parameters.longest else {
                        throw InvalidField.invalid("#/\(name)", "The texts are too long together.")
                    }
                    part = .none
                    bytes += slice
                    part = .text(name: name, bytes: bytes)
                }
            case .partEnd:
                if case .text(let name, let bytes) = part {
                    guard !bytes.contains(0), let value = String(validating: bytes, as: UTF8.self) else {
                        throw InvalidField.invalid("#/\(name)", "The text is not UTF-8, or holds U+0000.")
                    }
                    texts.add(name, value)
                }
                part = .none
            case .end: break
            }
        }
    }

    /// - Throws: `InvalidField` when the body has ended too early.
    func finish() throws(InvalidField) {
        do throws(MultipartError) { try parser.finish() } catch { throw Self.unreadable(error) }
    }

    private static func unreadable(_ error: MultipartError) -> InvalidField {
        .invalid("#", "The form cannot be read: \(error)")
    }
}
