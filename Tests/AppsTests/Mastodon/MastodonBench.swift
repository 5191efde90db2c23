import Foundation
import HTTP
import TestPics
import Testing

/// An app for Mastodon that the admin has let in.
struct MastodonApp {
    let pics: InProcessPics
    let token: String

    /// Sends parameters as a form or, where `json` is given, as JSON.
    func ask(
        _ method: HTTPMethod, _ path: String, _ form: FormFields = FormFields(), json: JSONValue? = nil,
        with fields: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONValue, fields: HTTPFields) {
        var fields = fields
        var body: [UInt8]?
        if let json {
            fields.add("Content-Type", "application/json")
            body = json.serialized
        } else if !form.pairs.isEmpty {
            fields.add("Content-Type", "application/x-www-form-urlencoded")
            body = Array(form.encoded.utf8)
        }
        let response = try await pics.ask(method, path, fields, body, token: token)
        let type = response.fields["Content-Type"] ?? ""
        #expect(type.hasPrefix("application/json"), "\(method) \(path): \(type)")
        return (response.status.code, try JSONValue(parsing: response.body), response.fields)
    }

    /// Uploads a picture of its own bytes; the attachment. `name` and `type` are those that the client sends, or does not.
    func upload(
        _ texts: [String: String] = [:], to path: String = "/api/v2/media", filename: String = "photo.jpg",
        bytes: [UInt8]? = nil
    ) async throws -> (status: Int, json: JSONValue) {
        var form = MultipartForm()
        for (name, value) in texts.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
        form.add(
            "file", filename: filename, mediaType: .octetStream,
            .bytes(bytes ?? CameraPhoto.jpeg(.random(in: 0..<1 << 40))))
        let request = OutgoingRequest(
            method: .post, url: pics.base + path,
            fields: ["Authorization": "Bearer \(token)", "Content-Type": form.mediaType.description], body: form.body,
            addressPolicy: .any)
        let response = try await pics.send(request)
        return (response.status.code, try JSONValue(parsing: response.body))
    }

    /// Posts one picture; the status.
    func post(_ caption: String, _ others: FormFields = FormFields()) async throws -> JSONValue {
        let media = try await upload().json["id"]?.string ?? ""
        var form: FormFields = ["status": caption, "media_ids[]": media]
        for pair in others.pairs { form.add(pair.name, pair.value) }
        let (status, json, _) = try await ask(.post, "/api/v1/statuses", form)
        #expect(status == 200, "\(json)")
        return json
    }
}

/// Runs `body` with an app that the admin has let in.
func withMastodonApp(
    scopes: String = "read write follow push", settings: [String: String] = [:],
    _ body: (MastodonApp) async throws -> Void
) async throws {
    try await withInProcessPics(settings: settings) { pics in
        var browser = try await pics.browser()
        let app = try await pics.letAppIn(&browser, scopes: scopes)
        try await body(MastodonApp(pics: pics, token: app.token))
    }
}

extension JSONValue {
    var id: String { self["id"]?.string ?? "" }
    var number: Int64 { Int64(id) ?? -1 }
}
