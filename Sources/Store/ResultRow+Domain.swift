internal import Domain
internal import FoundationEssentials
internal import Postgres

extension ResultRow {
    /// An identifier column.
    borrowing func id<Thing>(_ column: StaticString) throws(PostgresError) -> Identifier<Thing> {
        Identifier(try get(column, as: UUID.self))
    }

    /// A text or enum column as a type of the domain.
    borrowing func value<Value>(_ column: StaticString, _ make: (String) -> Value?) throws(PostgresError) -> Value {
        guard let value = make(try get(column)) else {
            throw .decoding(column: "\(column)", expected: "\(Value.self)", found: "another text")
        }
        return value
    }

    /// The columns `sensitive`, `content_warning` and `language`.
    borrowing func labels() throws(PostgresError) -> ContentLabels {
        ContentLabels(
            isSensitive: try get("sensitive"), warning: try get("content_warning"), language: try get("language"))
    }

    /// The columns `focus_x` and `focus_y`; nil where nobody has said.
    borrowing func focus() throws(PostgresError) -> FocalPoint? {
        let x: Double? = try get("focus_x")
        let y: Double? = try get("focus_y")
        guard let x, let y else { return nil }
        return FocalPoint(x: x, y: y)
    }

    /// A column with a recipe's text, or null.
    borrowing func recipe(_ column: StaticString) throws(PostgresError) -> Recipe? {
        guard let text: String = try get(column) else { return nil }
        do {
            return try Recipe(json: text)
        } catch {
            throw .decoding(column: "\(column)", expected: "Recipe", found: "another text")
        }
    }

    /// A column with the fault of a file, or null.
    borrowing func fileFault(_ column: StaticString) throws(PostgresError) -> FileFault? {
        guard let text: String = try get(column) else { return nil }
        guard let fault = FileFault(rawValue: text) else {
            throw .decoding(column: "\(column)", expected: "FileFault", found: "another text")
        }
        return fault
    }

    /// The columns `problem` and `coded_problem`; nil: there is no problem.
    borrowing func problem(
        _ text: StaticString = "problem", _ coded: StaticString = "coded_problem"
    ) throws(PostgresError) -> Problem? {
        Problem(text: try get(text), coded: try get(coded))
    }

    /// A digest column.
    borrowing func blob(_ column: StaticString) throws(PostgresError) -> BlobID {
        guard let blob = BlobID(try get(column)) else {
            throw .decoding(column: "\(column)", expected: "32 bytes", found: "bytea")
        }
        return blob
    }
}

extension ResultRow {
    /// The column `media`, a text of JSON.
    borrowing func media() throws(PostgresError) -> [AttachedMedia] {
        let text: String = try get("media")
        do {
            return try JSONDecoder().decode([AttachedMedia].self, from: Data(text.utf8))
        } catch {
            throw .decoding(column: "media", expected: "AttachedMedia", found: "another text")
        }
    }
}

extension ResultRow {
    /// The column `thread`, a text of JSON; empty where it is null.
    borrowing func thread() throws(PostgresError) -> [String] {
        guard let text: String = try get("thread") else { return [] }
        do {
            return try JSONDecoder().decode([String].self, from: Data(text.utf8))
        } catch {
            throw .decoding(column: "thread", expected: "texts", found: "another text")
        }
    }
}

extension PlannedCaption {
    /// As the column `thread` has it; nil where the caption is one post.
    var storedThread: String? { thread.isEmpty ? nil : storedJSON(thread) }
}

extension [AttachedMedia] {
    /// As the columns `media` have it.
    var stored: String { storedJSON(self) }
}

/// A value of strings and whole numbers, as columns of JSON have it.
func storedJSON(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
        preconditionFailure("strings and whole numbers can all be written: \(error)")
    }
}
