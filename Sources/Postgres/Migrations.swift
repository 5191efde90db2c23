internal import Crypto
internal import FoundationEssentials
internal import System

/// One step in the making of the schema.
package struct Migration: Equatable, Sendable {
    /// Counts from 1 without gaps.
    package let number: Int
    /// The file's name without its suffix, such as `0001_create_users`.
    package let name: String
    /// One or more statements.
    package let sql: String
    /// Its lines `-- pics: …`.
    let directives: MigrationDirectives

    /// The digest of its text, 32 bytes, as the database keeps it.
    var sha256: [UInt8] { SHA256Digest(of: sql).bytes }
}

/// The lines of a migration that begin with `-- pics:`, such as `-- pics: no transaction`.
struct MigrationDirectives: Equatable, Sendable {
    /// `no transaction`: each statement runs by itself, as `CREATE INDEX CONCURRENTLY` must. A statement ends with the line that ends
    /// with a semicolon. An interrupted migration runs again from its first statement, so it must bear that.
    var hasTransaction = true
    /// `oldest release 0.2.0`: earlier releases cannot work on the schema any more.
    var oldestRelease: Release?
    /// `functions one two`: these must be there before its statements run, as a trigger's function must.
    var functions: [String] = []

    /// - Throws: `.badDirective`.
    init(of sql: String, file: String) throws(MigrationError) {
        for line in sql.split(separator: "\n") where line.hasPrefix("-- pics:") {
            let words = line.dropFirst("-- pics:".count).split(separator: " ").map(String.init)
            if words == ["no", "transaction"] {
                hasTransaction = false
            } else if words.count == 3, words.starts(with: ["oldest", "release"]), let release = Release(words[2]) {
                oldestRelease = release
            } else if words.count > 1, words[0] == "functions" {
                functions += words.dropFirst()
            } else {
                throw .badDirective(file: file, line: String(line))
            }
        }
    }
}

/// A function of the schema, made or replaced as a whole.
package struct SchemaFunction: Equatable, Sendable {
    /// The name of the function and of its file.
    package let name: String
    /// One `CREATE OR REPLACE FUNCTION`.
    package let sql: String

    /// The digest of its text, 32 bytes, as the database keeps it.
    var sha256: [UInt8] { SHA256Digest(of: sql).bytes }
}

/// How long migrations wait for others.
package struct MigrationTimeouts: Sendable {
    /// How long they wait for another process's migrations before they say so; they wait on for as long as it takes.
    package var beforeNotice = Duration.seconds(1)
    /// How long one waits for a table. While it waits, nobody else gets the table, so it gives up and tries again later.
    package var forTable = Duration.seconds(3)
    /// How long one tries again to get its tables.
    package var forAllAttempts = Duration.seconds(600)

    package init() {}
}

/// A program's release, such as 0.2.0.
package struct Release: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    package init(_ major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }

    /// Takes three numbers with points between them; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
        guard numbers.count == 3, parts.count == 3 else { return nil }
        self.numbers = numbers
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }

    package static func < (one: Release, other: Release) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }
}

/// All steps in the making of a schema, forward only, and the functions that it has after the last.
package struct Migrations: Equatable, Sendable {
    /// In the order of their numbers.
    package let all: [Migration]
    /// In the order of their names.
    package let functions: [SchemaFunction]

    /// Reads a folder of files named `NNNN_verb_noun.sql`, and those of its folder `functions`, each named like the function in it.
    /// Hidden files and `schema.sql` are ignored, others refused.
    package static func load(_ folder: String) throws(MigrationError) -> Migrations {
        var all: [Migration] = []
        for file in try files(in: folder) where file != "functions" && file != "schema.sql" {
            guard let match = file.wholeMatch(of: /(\d{4})(_[a-z0-9]+){2,}\.sql/), let number = Int(match.output.1)
            else {
                throw .badName(file: file)
            }
            if let last = all.last, last.number == number { throw .duplicate(file: file, other: last.name) }
            guard number == all.count + 1 else { throw .gap(expected: all.count + 1, file: file) }
            let sql = try text(of: "\(folder)/\(file)")
            all.append(
                Migration(
                    number: number, name: String(file.dropLast(4)), sql: sql,
                    directives: try MigrationDirectives(of: sql, file: file)))
        }
        let functions = try functions(in: "\(folder)/functions")
        for migration in all {
            for name in migration.directives.functions where !functions.contains(where: { $0.name == name }) {
                throw .noFunction(name: name, migration: migration.name)
            }
        }
        return Migrations(all: all, functions: functions)
    }

    /// Those up to one, for a database as an earlier release has left it. Functions that none of them needs are left to the last.
    package func upTo(_ number: Int) -> Migrations {
        let all = all.filter { $0.number <= number }
        let needed = Set(all.flatMap(\.directives.functions))
        return Migrations(all: all, functions: functions.filter { needed.contains($0.name) })
    }

    private static func functions(in folder: String) throws(MigrationError) -> [SchemaFunction] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        var functions: [SchemaFunction] = []
        for file in try files(in: folder) {
            guard let match = file.wholeMatch(of: /([a-z0-9_]+)\.sql/) else {
                throw .badName(file: "functions/\(file)")
            }
            let (name, sql) = (String(match.output.1), try text(of: "\(folder)/\(file)"))
            guard sql.contains("CREATE OR REPLACE FUNCTION \(name)("), sql.ranges(of: "CREATE").count == 1
            else {
                throw .badFunction(file: "functions/\(file)")
            }
            functions.append(SchemaFunction(name: name, sql: sql))
        }
        return functions
    }

    /// The names of the files that are not hidden, sorted.
    private static func files(in folder: String) throws(MigrationError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .unreadable(path: folder, reason: error.fileReason)
        }
    }

    private static func text(of path: String) throws(MigrationError) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: error.fileReason)
        }
    }
}
