internal import Actions
internal import Domain
internal import Formats
internal import FoundationEssentials
internal import HTTP
internal import System

/// The content of a Micropub request, in whichever way it came: an entry of Microformats 2, or an action on one.
struct MicropubBody {
    /// What is to be done with the post at `address`; nil: a post is created.
    private(set) var action: String?
    private(set) var address: String?
    /// Every property and command as a list, without brackets behind its name.
    private(set) var properties: [String: [JSONValue]] = [:]
    /// The members of an update: `replace`, `add` and `delete`.
    private(set) var changes = JSONObject()

    /// Reads a form. `name[]` and `name[0]` are `name`, and so is a name that comes again; `name[html]` has its words in HTML.
    ///
    /// - Throws: `InvalidField` for anything but an entry.
    init(_ form: FormFields) throws(InvalidField) {
        for pair in form.pairs {
            switch pair.name {
            case "access_token": break
            case "action": action = pair.value
            case "url" where address == nil: address = pair.value
            case "h": try Self.demandEntry("h-\(pair.value)")
            case let name where name.hasSuffix("[html]"):
                properties[String(name.dropLast(6)), default: []].append(["html": .string(pair.value)])
            default: properties[Self.property(pair.name), default: []].append(.string(pair.value))
            }
        }
    }

    /// Reads JSON.
    ///
    /// - Throws: `InvalidField` for a value that is no list, and for anything but an entry.
    init(_ json: JSONObject) throws(InvalidField) {
        action = try Self.text(json, "action")
        address = try Self.text(json, "url")
        for name in ["replace", "add", "delete"] { changes[name] = json[name] }
        if let type = json["type"] {
            guard type.array?.count == 1, let word = type[0]?.string else {
                throw .invalid("#/type", "It must be a list with one name.")
            }
            try Self.demandEntry(word)
        }
        guard let members = json["properties"] else { return }
        guard let members = members.object else { throw .invalid("#/properties", "It must be an object.") }
        for member in members {
            guard let values = member.value.array else {
                throw .invalid(InvalidField.pointer(to: member.name, in: "#/properties"), "It must be a list.")
            }
            properties[member.name] = values
        }
    }

    private static func text(_ json: JSONObject, _ name: String) throws(InvalidField) -> String? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .invalid("#/\(name)", "It must be a text.") }
        return text
    }

    private static func demandEntry(_ type: String) throws(InvalidField) {
        guard type == "h-entry" else { throw .invalid("#/type", "Only an h-entry can be posted.") }
    }

    /// `photo` of `photo`, `photo[]` and `photo[0]`.
    static func property(_ name: String) -> String {
        guard name.hasSuffix("]"), let open = name.lastIndex(of: "["), open != name.startIndex,
            name[name.index(after: open)...].dropLast().allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<open])
    }

    // MARK: Reading

    func values(_ name: String) -> [JSONValue] { properties[name] ?? [] }

    /// The texts of a property; other values of it are left out.
    func texts(_ name: String) -> [String] { values(name).compactMap(\.string) }

    /// The first text of a property that is not empty.
    func text(_ name: String) -> String? { texts(name).first { !$0.isEmpty } }

    /// Words as people wrote them: texts, and HTML as its text.
    static func words(_ values: [JSONValue]) -> String {
        values.compactMap { value in
            if let text = value.string { return text }
            if let html = value["html"]?.string { return HTMLText.plain(html) }
            return value["value"]?.string
        }.filter { !$0.isEmpty }.joined(separator: "\n\n").replacing("\r\n", with: "\n")
    }
}

/// A caption as Micropub sees it: words, and categories, which are the hashtags.
struct CategorizedCaption: Equatable {
    /// Without a last paragraph that has nothing but hashtags.
    var words: String
    /// Those of the last paragraph.
    private var tags: [String]

    /// A new caption; of categories that no hashtag can be made of nothing is kept.
    init(words: String, categories: [String]) {
        (self.words, tags) = (words, [])
        for category in categories { add(category) }
    }

    init(_ caption: String) {
        (words, tags) = (caption, [])
        let end = caption.ranges(of: "\n\n").last
        let last = end.map { caption[$0.upperBound...] } ?? caption[...]
        let pieces = last.split(whereSeparator: \.isWhitespace)
        let found = pieces.compactMap { $0.hasPrefix("#") ? CaptionEntity.hashtag(String($0)) : nil }
        guard !found.isEmpty, found.count == pieces.count else { return }
        words = end.map { String(caption[..<$0.lowerBound]) } ?? ""
        tags = found
    }

    /// The whole caption.
    var text: String {
        let further = Self.unique(tags, besides: tagsInWords).map { "#\($0)" }.joined(separator: " ")
        return [words, further].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// All hashtags, each once.
    var categories: [String] { tagsInWords + Self.unique(tags, besides: tagsInWords) }

    mutating func add(_ category: String) {
        guard let tag = Self.hashtag(of: category) else { return }
        tags.append(tag)
    }

    /// Hashtags that stand among the words stay: they are some of them.
    mutating func remove(_ categories: [String]) {
        let gone = Set(categories.compactMap { Self.hashtag(of: $0)?.lowercased() })
        tags.removeAll { gone.contains($0.lowercased()) }
    }

    mutating func removeCategories() { tags = [] }

    private var tagsInWords: [String] {
        let text = words.composed
        return Self.unique(
            CaptionEntity.find(in: text).filter { $0.kind == .hashtag }.map { String(text[$0.range].dropFirst()) },
            besides: [])
    }

    private static func unique(_ tags: [String], besides others: [String]) -> [String] {
        var seen = Set(others.map { $0.lowercased() })
        return tags.filter { seen.insert($0.lowercased()).inserted }
    }

    /// `NewYork` of `New York`; nil where nothing of the kind can be made, and for the address of a person.
    static func hashtag(of category: String) -> String? {
        guard !category.contains("://") else { return nil }
        let words = category.drop { $0 == "#" }.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let name = words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalizedFirst }
        return CaptionEntity.hashtag(name.joined())
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
