import Curl
import EventLoops
import Foundation
import HTTP
import TestPics
import TestSupport
import TestTools

/// A running Pics with a data folder and a database, as a test sees it: over HTTP and through its commands.
struct Pics: PicsClient {
    let folder: String
    let base: String
    let process: PicsProcess
    let environment: [String: String]

    /// Starts `pics serve` and waits until it listens. `database` is a conninfo; nil means the private PostgreSQL.
    static func start(
        in folder: String, database: String?, _ arguments: [String] = [], settings: [String: String] = [:]
    ) async throws -> Pics {
        var environment = testSettings(in: folder).merging(settings) { $1 }
        environment["PICS_LISTEN"] = settings["PICS_LISTEN"] ?? "127.0.0.1:0"
        environment["PICS_DATABASE_URL"] = database
        environment["PICS_RETRY_BASE"] = "200ms"
        environment["PICS_DATABASE_CONNECTIONS"] = "2"
        environment["PICS_JOB_LEASE"] = settings["PICS_JOB_LEASE"] ?? "3s"
        let process = try PicsProcess(["serve"] + arguments, environment: environment, folder: folder)
        let base = try await process.line(beginning: "listening on ")
        return Pics(folder: folder, base: base, process: process, environment: environment)
    }

    /// Stops it as an operator does; its exit status.
    func stop() async -> Int32 {
        process.signal(SIGTERM)
        return await process.end().status
    }

    /// Runs another command of the program on the same data.
    func command(_ arguments: String..., input: String = "") async throws -> (status: Int32, output: String) {
        try await PicsProcess(arguments, environment: environment, folder: folder, input: input).end()
    }

    var token: String {
        get throws {
            try String(contentsOfFile: "\(folder)/data/admin-token", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }

}

/// Runs `body` with a folder of its own, which is deleted afterwards.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = "\(temporaryPlace)/pics-e2e-\(UUID().uuidString.prefix(8))"
    // The user that runs PostgreSQL for a root process must be able to enter.
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    do {
        let value = try await body(folder)
        try FileManager.default.removeItem(atPath: folder)
        return value
    } catch {
        try FileManager.default.removeItem(atPath: folder)
        throw error
    }
}
