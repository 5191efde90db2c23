import Curl
import EventLoops
import Foundation
import HTTP
import TestSupport
import TestTools

/// A running Pics with a data folder and a database, as a test sees it: over HTTP and through its commands.
struct Pics {
    let folder: String
    let base: String
    let process: PicsProcess
    let environment: [String: String]

    /// Starts `pics serve` and waits until it listens. `database` is a conninfo; nil means the private PostgreSQL.
    static func start(
        in folder: String, database: String?, _ arguments: [String] = [], settings: [String: String] = [:]
    ) async throws -> Pics {
        var environment = settings
        environment["PICS_DATA_DIR"] = "\(folder)/data"
        environment["PICS_LISTEN"] = settings["PICS_LISTEN"] ?? "127.0.0.1:0"
        environment["PICS_DATABASE_URL"] = database
        environment["PICS_PRIVATE_SERVERS"] = settings["PICS_PRIVATE_SERVERS"] ?? "true"
        environment["PICS_RETRY_BASE"] = "200ms"
        // Tests ask far more often than people.
        for rate in ["ADDRESS", "TOKEN", "UPLOAD", "PICTURE", "LIKE"] where settings["PICS_\(rate)_RATE"] == nil {
            environment["PICS_\(rate)_RATE"] = "0"
        }
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

    // MARK: HTTP

    func send(
        _ method: HTTPMethod, _ path: String, accept: String = "application/json", body: OutgoingBody = .none,
        type: String? = nil, isAnonymous: Bool = false
    ) async throws -> IncomingResponse {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: ["Accept": accept], body: body,
            addressPolicy: .any)
        if let type { request.fields.add("Content-Type", type) }
        if !isAnonymous { request.fields.add("Authorization", "Bearer \(try token)") }
        return try await Self.transport.get().send(request)
    }

    func json(_ path: String) async throws -> JSONValue {
        try JSONValue(parsing: try await send(.get, path).body)
    }

    /// Posts a photo as a form.
    func post(_ photo: [UInt8], caption: String, _ fields: [String: String] = [:]) async throws -> IncomingResponse {
        var form = MultipartForm()
        form.add("caption", caption)
        for (name, value) in fields { form.add(name, value) }
        form.add("photo", filename: "photo.jpg", mediaType: .octetStream, .bytes(photo))
        return try await send(.post, "/v1/photos", body: form.body, type: form.mediaType.description)
    }

    /// The submissions of a photo once all have ended.
    func ended(_ photo: String) async throws -> [JSONValue] {
        let final: Set<String> = ["done", "rejected", "cancelled", "unknown", "needs_login"]
        var submissions: [JSONValue] = []
        try await until {
            submissions = try await json("/v1/photos/\(photo)/submissions")["items"]?.array ?? []
            return submissions.allSatisfy { final.contains($0["state"]?.string ?? "") }
        }
        return submissions
    }

    static let transport = Result {
        try CurlTransport(
            on: EventLoop(name: "test-client"), threads: BlockingThreads(name: "test-disk", count: 2),
            options: CurlOptions(userAgent: "pics-tests"))
    }
}

/// Runs `body` with a folder of its own, which is deleted afterwards.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = "/tmp/pics-e2e-\(UUID().uuidString.prefix(8))"
    // Whoever runs PostgreSQL for a root process must be able to enter.
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
