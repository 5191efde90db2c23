package import Domain
package import HTTP

extension ImportTexts {
    /// A JSON text of one photo or post.
    package func json(_ span: Span) throws(ImportProblem) -> JSONValue {
        let bytes = try bytes(of: span)
        do throws(JSONError) {
            // A byte order mark is none of JSON's, and some programs write one.
            return try JSONValue(parsing: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        } catch {
            throw .badText
        }
    }

    /// Finds the elements of a JSON text that is a list, or an object whose members are lists, however long it is: none of it is kept.
    ///
    /// It looks for brackets, commas and strings alone; what stands between them is read element by element later. Elements that are
    /// longer than `longestElement` are passed.
    ///
    /// - Parameters:
    ///   - span: The text.
    ///   - visit: Takes each element with the name of its list, which is empty for a text that is a list itself.
    /// - Throws: `.badText` for a text that ends too early or is nested too deep; what `visit` throws.
    package func eachElement(
        of span: Span, _ visit: (_ list: String, Span) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        var scanner = ElementScanner()
        var offset = span.offset
        let end = span.offset + span.length
        while offset < end {
            let block = try block(at: offset, count: Int(min(Int64(Self.blockLength), end - offset)))
            for (place, byte) in block.enumerated() {
                guard let found = try scanner.take(byte, at: offset + Int64(place)) else { continue }
                if found.length <= Int64(Self.longestElement) { try visit(scanner.list, found) }
            }
            offset += Int64(block.count)
        }
        guard scanner.isComplete else { throw .badText }
    }

    /// Reads the elements of such a text one after the other. One that cannot be read is a post that is named `name`.
    package func eachValue(
        of span: Span, named name: String, _ report: (PlannedItem) throws(ImportProblem) -> Void,
        _ visit: (_ list: String, Span, JSONValue) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        try eachElement(of: span) { list, element throws(ImportProblem) in
            let value: JSONValue
            do throws(ImportProblem) { value = try json(element) } catch {
                return try report(PlannedItem(unreadable: name))
            }
            try visit(list, element, value)
        }
    }

    private static let blockLength = 256 << 10
}

/// Where in a JSON text a scan stands.
private struct ElementScanner {
    /// The list whose elements are found now.
    private(set) var list = ""
    private var depth = 0
    /// How deep the elements are that are looked for; nil outside of a list.
    private var depthOfElements: Int?
    private var isObject = false
    private var begin: Int64?
    private var isInString = false
    private var isEscaped = false
    private var expectsName = false
    /// Of the member whose name is read now.
    private var name: [UInt8]?
    private var hasEnded = false

    var isComplete: Bool { hasEnded && depth == 0 }

    /// The element that ends before this byte.
    mutating func take(_ byte: UInt8, at offset: Int64) throws(ImportProblem) -> ImportTexts.Span? {
        if isInString {
            takeInString(byte)
            return nil
        }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return nil
        case UInt8(ascii: "\""):
            isInString = true
            if depth == depthOfElements, begin == nil { begin = offset }
            if isObject, depth == 1, expectsName { name = [] }
        case UInt8(ascii: ":"):
            if isObject, depth == 1 { expectsName = false }
        case UInt8(ascii: ","):
            if isObject, depth == 1 { expectsName = true }
            if depth == depthOfElements { return element(before: offset) }
        case UInt8(ascii: "["), UInt8(ascii: "{"): try open(byte, at: offset)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): return try close(at: offset)
        default:
            if depth == depthOfElements, begin == nil { begin = offset }
        }
        return nil
    }

    private mutating func takeInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if let name { list = String(decoding: name, as: UTF8.self) }
            name = nil
            return
        }
        if name?.count ?? 200 < 200 { name?.append(byte) }
    }

    private mutating func open(_ byte: UInt8, at offset: Int64) throws(ImportProblem) {
        let isList = byte == UInt8(ascii: "[")
        if depth == 0 {
            isObject = !isList
            expectsName = !isList
            if isList { depthOfElements = 1 }
        } else if depth == depthOfElements {
            if begin == nil { begin = offset }
        } else if isObject, depth == 1, isList {
            depthOfElements = 2
        }
        depth += 1
        guard depth <= 64 else { throw .badText }
    }

    private mutating func close(at offset: Int64) throws(ImportProblem) -> ImportTexts.Span? {
        guard depth > 0 else { throw .badText }
        var last: ImportTexts.Span?
        if depth == depthOfElements {
            last = element(before: offset)
            depthOfElements = nil
        }
        depth -= 1
        hasEnded = depth == 0
        return last
    }

    private mutating func element(before offset: Int64) -> ImportTexts.Span? {
        defer { begin = nil }
        return begin.map { ImportTexts.Span(offset: $0, length: offset - $0) }
    }
}
