internal import Curl
internal import EventLoops
internal import Foundation
package import HTTP
internal import TestSupport
internal import TestTools
internal import Testing

/// A serving Pics, as an app or a browser sees it.
package protocol PicsClient: Sendable {
    /// Scheme, host and port.
    var base: String { get }
    /// Of the first admin.
    var token: String { get throws }
    /// With the data folder in it.
    var folder: String { get }

    /// Adds a user with `testPassword`, or gives it to one who is there.
    func letIn(_ name: String) async throws
    /// Adds a user; their token.
    func addUser(_ name: String) async throws -> String
    /// Changes the database behind its back; the number of rows.
    @discardableResult
    func change(_ sql: String) async throws -> Int
}

/// The settings of a Pics in `folder`, by their variables. Tests ask far more often than people.
package func testSettings(in folder: String) -> [String: String] {
    var settings = [
        "PICS_DATA_DIR": "\(folder)/data", "PICS_MIGRATIONS_DIR": migrationsFolder, "PICS_PRIVATE_SERVERS": "true",
    ]
    for rate in ["ADDRESS", "TOKEN", "UPLOAD", "PICTURE", "LIKE"] { settings["PICS_\(rate)_RATE"] = "0" }
    if isSanitized { settings["PICS_MEDIA_MEMORY"] = "1024TiB" }
    return settings
}

/// The password of all users.
package let testPassword = "correct horse battery"

extension PicsClient {
    /// The status of an answer to somebody else's token.
    package func status(_ method: HTTPMethod, _ path: String, token: String) async throws -> Int {
        let request = OutgoingRequest(
            method: method, url: base + path, fields: ["Authorization": "Bearer \(token)"], addressPolicy: .any)
        return try await send(request).status.code
    }

    package func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try await transport.get().send(request)
    }

    /// Sends a request with these header fields and a bearer token: the client's own unless another is given.
    package func ask(
        _ method: HTTPMethod, _ path: String, _ fields: HTTPFields = [:], _ body: [UInt8]? = nil, token: String? = nil
    ) async throws -> IncomingResponse {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: fields,
            body: body.map { .bytes($0) } ?? .none, addressPolicy: .any)
        request.fields.add("Authorization", "Bearer \(try token ?? self.token)")
        return try await send(request)
    }

    /// Begins an upload in tus; its URL.
    package func beginTus(_ fields: HTTPFields) async throws -> String {
        var fields = fields
        fields.add("Tus-Resumable", "1.0.0")
        let response = try await ask(.post, "/v1/uploads", fields)
        return response.fields["Location"] ?? String(response.status.code)
    }

    /// Sends a part in tus.
    package func patchTus(
        _ url: String, at offset: Int, _ bytes: [UInt8], _ fields: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        var fields = fields
        fields.add("Tus-Resumable", "1.0.0")
        fields.add("Upload-Offset", String(offset))
        fields.add("Content-Type", "application/offset+octet-stream")
        return try await ask(.patch, url, fields, bytes)
    }

    /// The file of an upload that is no photo yet.
    package func file(ofUpload url: String) throws -> [UInt8] {
        let name = url.split(separator: "/").last ?? ""
        return [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/data/blobs/uploads/\(name)")))
    }

    package func send(
        _ method: HTTPMethod, _ path: String, accept: String = "application/json", body: OutgoingBody = .none,
        type: String? = nil, with others: HTTPFields = [:], isAnonymous: Bool = false
    ) async throws -> IncomingResponse {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path, fields: ["Accept": accept], body: body,
            addressPolicy: .any)
        if let type { request.fields.add("Content-Type", type) }
        request.fields.add(others)
        if !isAnonymous { request.fields.add("Authorization", "Bearer \(try token)") }
        return try await send(request)
    }

    package func json(_ path: String) async throws -> JSONValue {
        try JSONValue(parsing: try await send(.get, path).body)
    }

    /// Posts a photo as a form; `others` are fields of the request.
    package func post(
        _ photo: [UInt8], caption: String, _ fields: [String: String] = [:], with others: HTTPFields = [:]
    ) async throws -> IncomingResponse {
        var form = MultipartForm()
        form.add("caption", caption)
        for (name, value) in fields { form.add(name, value) }
        form.add("photo", filename: "photo.jpg", mediaType: .octetStream, .bytes(photo))
        return try await send(.post, "/v1/photos", body: form.body, type: form.mediaType.description, with: others)
    }

    /// The submissions of a photo once all have ended.
    package func ended(_ photo: String) async throws -> [JSONValue] {
        let final: Set<String> = ["done", "rejected", "cancelled", "unknown", "needs_login"]
        var submissions: [JSONValue] = []
        try await until {
            submissions = try await json("/v1/photos/\(photo)/submissions")["items"]?.array ?? []
            return submissions.allSatisfy { final.contains($0["state"]?.string ?? "") }
        }
        return submissions
    }

    /// Sends JSON.
    package func ask(
        _ method: HTTPMethod, _ path: String, json: JSONValue?, with others: HTTPFields = [:], token: String? = nil
    ) async throws -> IncomingResponse {
        var fields: HTTPFields = json == nil ? [:] : ["Content-Type": "application/json"]
        fields.add(others)
        return try await ask(method, path, fields, json?.serialized, token: token)
    }

    /// Posts a photo of its own bytes and gives what is answered.
    package func posted(_ caption: String, _ fields: [String: String] = ["services": "none"]) async throws -> JSONValue
    {
        let answer = try await post(CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: caption, fields)
        #expect(answer.status == .created)
        return try JSONValue(parsing: answer.body)
    }

    /// Sends JSON and reads JSON.
    package func call(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, token: String? = nil,
        with others: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONValue) {
        let response = try await ask(method, path, json: body, with: others, token: token)
        return (response.status.code, response.body.isEmpty ? .null : try JSONValue(parsing: response.body))
    }
}

/// Actions of people and their apps.
extension PicsClient {
    /// The state of a photo's pictures. Asks again and again; the test's time limit bounds it.
    package func processed(_ id: String) async throws -> String? {
        var state: String?
        try await until {
            state = try await json("/v1/photos/\(id)")["processing"]?.string
            return state != "pending"
        }
        return state
    }

    /// A browser in which somebody has signed in.
    package func browser(of name: String) async throws -> Browser {
        var browser = Browser(self)
        #expect(try await browser.signIn(name, testPassword).status == 303)
        return browser
    }

    package func openGallery(_ browser: inout Browser) async throws {
        let page = try await browser.submit(["open": "yes"], to: "/settings/gallery/open", from: "/settings/gallery")
        #expect(page.status == 303)
    }

    /// Uploads a photo that is posted to no account; its short code.
    package func photo(_ caption: String, _ fields: [String: String] = [:]) async throws -> String {
        let answer = try await post(
            CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: caption, fields.merging(["services": "none"]) { $1 })
        #expect(answer.status.code == 201)
        return try #require(try JSONValue(parsing: answer.body)["code"]?.string)
    }

    /// Uploads a photo that is posted to no account; its id.
    package func photoID(_ caption: String) async throws -> String {
        let answer = try await post(CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: caption, ["services": "none"])
        return try #require(try JSONValue(parsing: answer.body)["id"]?.string)
    }
}

/// Of all clients of this process.
let transport = Result {
    try CurlTransport(
        on: EventLoop(name: "test-client"), threads: BlockingThreads(name: "test-disk", count: 2),
        options: CurlOptions(userAgent: "pics-tests"))
}
