internal import Foundation

/// One step in the making of the schema.
package struct Migration: Equatable, Sendable {
    /// Counts from 1 without gaps.
    package let number: Int
    /// The file's name without its suffix, such as `0001_create_users`.
    package let name: String
    /// One or more statements, run in one transaction.
    package let sql: String
}

/// How long migrations wait for others.
package struct MigrationPatience: Sendable {
    /// How long they wait for another process's migrations before they say so; they wait on for as long as it takes.
    package var beforeNotice = Duration.seconds(1)
    /// How long one waits for a table. While it waits, nobody else gets the table, so it gives up and tries again later.
    package var forTable = Duration.seconds(3)
    /// How long one tries again to get its tables.
    package var forAllTries = Duration.seconds(600)

    package init() {}
}

/// All steps in the making of a schema, forward only.
package struct Migrations: Equatable, Sendable {
    /// In the order of their numbers.
    package let all: [Migration]

    /// Reads a folder of files named `NNNN_verb_noun.sql`; hidden files are ignored, others refused.
    package static func load(_ folder: String) throws(MigrationError) -> Migrations {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .unreadable(path: folder, reason: error.localizedDescription)
        }
        var all: [Migration] = []
        for file in files {
            guard let match = file.wholeMatch(of: /(\d{4})(_[a-z0-9]+){2,}\.sql/), let number = Int(match.output.1)
            else {
                throw .badName(file: file)
            }
            if let last = all.last, last.number == number { throw .duplicate(file: file, other: last.name) }
            guard number == all.count + 1 else { throw .gap(expected: all.count + 1, file: file) }
            let sql = try text(of: "\(folder)/\(file)")
            all.append(Migration(number: number, name: String(file.dropLast(4)), sql: sql))
        }
        return Migrations(all: all)
    }

    private static func text(of path: String) throws(MigrationError) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }
}
