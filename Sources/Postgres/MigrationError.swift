internal import Logging

/// Why migrations were not applied, and what to do about it.
package enum MigrationError: DetailedError, Equatable, Sendable {
    /// The folder or a file in it cannot be read.
    case unreadable(path: String, reason: String)
    /// A file is not named like `0001_create_users.sql`.
    case badName(file: String)
    /// Two files have one number.
    case duplicate(file: String, other: String)
    /// The numbers do not go on from the file before, or do not start at 1.
    case gap(expected: Int, file: String)
    /// An applied migration's file was changed or renamed since.
    case changed(name: String)
    /// An applied migration's file is gone.
    case missing(name: String)
    /// A line `-- pics: …` asks for something unknown.
    case badDirective(file: String, line: String)
    /// A file of functions does not hold the one function that it is named after.
    case badFunction(file: String)
    /// A migration needs a function that has no file.
    case noFunction(name: String, migration: String)
    /// The schema was changed by a newer release, and earlier ones than `oldest` cannot work on it.
    case tooOld(release: Release, oldest: Release, newest: Release?)
    /// The database lacks migrations, and this program was not asked to apply them.
    case behind(first: String, count: Int)
    /// A file has `COMMIT` or `ROLLBACK` in it.
    case endsTransaction(name: String)
    /// A statement of a migration was refused; none of its changes remain, those of earlier migrations do.
    case failed(name: String, PostgresError)
    /// It waited too long for tables that others use.
    case busy(name: String)
    /// The database could not be asked.
    case database(PostgresError)
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, _): "\(path) cannot be read"
        case .badName(let file): "\(file) is not a migration: name it like 0001_create_users.sql or take it away"
        case .duplicate(let file, let other): "\(file) has the number of \(other): give it the next free number"
        case .gap(let expected, let file): "\(file) leaves a gap: number \(expected) is missing"
        case .changed(let name):
            "\(name) is not what was applied: restore its file, and make the change in a new migration"
        case .missing(let name): "\(name) was applied but its file is gone: restore it"
        case .badDirective(let file, let line): "\(file) asks for something unknown: \(line)"
        case .badFunction(let file): "\(file) does not hold one CREATE OR REPLACE FUNCTION of its name"
        case .noFunction(let name, let migration): "\(migration) needs the function \(name), which has no file"
        case .tooOld(let release, let oldest, let newest):
            "this is release \(release), and the database was migrated by release \(newest.map(\.description) ?? "unknown"): run release \(oldest) or later"
        case .behind(let first, let count):
            "the database is older than this program: it lacks \(count == 1 ? first : "\(first) and \(count - 1) more migrations")"
        case .endsTransaction(let name): "\(name) ends its transaction: take COMMIT and ROLLBACK out of it"
        case .failed(let name, let error): "\(name) failed and was undone: \(error)"
        case .busy(let name):
            "\(name) waited too long for tables that others use, such as a backup: start again when they have ended"
        case .database(let error): "migrations need the database: \(error)"
        }
    }

    /// Everything that is known: for the log and the operator.
    package var detail: String {
        switch self {
        case .unreadable(_, let reason): "\(description): \(reason)"
        case .failed(let name, let error): "\(name) failed and was undone: \(error.detail)"
        case .database(let error): "migrations need the database: \(error.detail)"
        default: description
        }
    }
}
