import Crypto
import Curl
import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct IdempotencyTests {
    private func post(
        _ photo: [UInt8], _ caption: String, key: String, to pics: InProcessPics, token: String? = nil
    ) async throws -> IncomingResponse {
        try await pics.ask(
            .post, "/v1/photos?services=none&caption=\(caption)",
            ["Idempotency-Key": key, "Content-Type": "image/jpeg"], photo, token: token)
    }

    @Test func `the same key and photo give the same answer and one photo`() async throws {
        try await withInProcessPics { pics in
            let first = try await post(CameraPhoto.jpeg(), "boats", key: "\"8e03978e\"", to: pics)
            let second = try await post(CameraPhoto.jpeg(), "boats", key: "8e03978e", to: pics)
            #expect(first.status == .created)
            #expect(second.status == .created)
            #expect(second.body == first.body)
            #expect(second.fields["Location"] == first.fields["Location"])
            #expect(second.fields["ETag"] == first.fields["ETag"])
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
        }
    }

    @Test func `a key that was used for something else is refused, and another user's does not matter`() async throws {
        try await withInProcessPics { pics in
            _ = try await post(CameraPhoto.jpeg(), "boats", key: "k", to: pics)
            #expect(try await post(CameraPhoto.jpeg(), "ships", key: "k", to: pics).status == .unprocessableContent)
            #expect(try await post(CameraPhoto.jpeg(1), "boats", key: "k", to: pics).status == .unprocessableContent)
            let alice = try await pics.addUser("alice")
            #expect(try await post(CameraPhoto.jpeg(), "ships", key: "k", to: pics, token: alice).status == .created)
        }
    }

    @Test func `a recipe belongs to what is asked, and to a photo that comes in parts`() async throws {
        try await withInProcessPics { pics in
            func post(_ recipe: String, _ others: HTTPFields) async throws -> IncomingResponse {
                var fields: HTTPFields = ["Content-Type": "image/jpeg"]
                fields.add(others)
                let query = "services=none&recipe=\(PercentEncoding.encode(recipe))"
                return try await pics.ask(.post, "/v1/photos?\(query)", fields, CameraPhoto.jpeg())
            }
            let square = try await post("{\"square\":true}", ["Idempotency-Key": "k"])
            let whole = try await post("{\"rotate\":90}", ["Idempotency-Key": "k"])
            #expect(square.status == .created)
            #expect(whole.status == .unprocessableContent)

            let parts = try await post("{\"square\":true}", ["Upload-Complete": "?1"])
            #expect(parts.status == .created)
            #expect(try JSONValue(parsing: parts.body)["recipe"]?["square"] == true)
            let url = try await pics.beginTus(["Upload-Length": "\(CameraPhoto.jpeg().count)"])
            _ = try await pics.patchTus(url, at: 0, CameraPhoto.jpeg())
            let id = String(url.split(separator: "/").last ?? "")
            let body: JSONValue = ["upload": .string(id), "services": [], "recipe": ["square": true]]
            let made = try await pics.ask(.post, "/v1/photos", ["Content-Type": "application/json"], body.serialized)
            #expect(made.status == .created)
            #expect(try JSONValue(parsing: made.body)["recipe"]?["square"] == true)
        }
    }

    @Test func `a request that failed does not burn its key`() async throws {
        try await withInProcessPics { pics in
            let failed = try await post([1, 2, 3], "boats", key: "k", to: pics)
            let worked = try await post(CameraPhoto.jpeg(), "boats", key: "k", to: pics)
            let long = try await post(CameraPhoto.jpeg(), "boats", key: String(repeating: "k", count: 256), to: pics)
            #expect(failed.status == .unsupportedMediaType)
            #expect(worked.status == .created)
            #expect(long.status == .badRequest)
        }
    }

    @Test func `of many equal requests at once one makes the photo, and the others answer 409 or the same`()
        async throws
    {
        try await withInProcessPics { pics in
            let answers = try await withThrowingTaskGroup(of: IncomingResponse.self) { group in
                for _ in 0..<8 { group.addTask { try await post(CameraPhoto.jpeg(), "boats", key: "k", to: pics) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let created = answers.filter { $0.status == .created }
            #expect(!created.isEmpty)
            #expect(Set(created.map(\.body)).count == 1)
            for response in answers where response.status != .created {
                #expect(response.status == .conflict)
                #expect(response.fields["Retry-After"] == "1")
            }
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
        }
    }

    @Test func `a whole file that says Upload-Complete is made once too, and a form is a form`() async throws {
        try await withInProcessPics { pics in
            let fields: HTTPFields = [
                "Idempotency-Key": "w", "Upload-Complete": "?1", "Content-Type": "image/jpeg",
            ]
            let first = try await pics.ask(.post, "/v1/photos?services=none", fields, CameraPhoto.jpeg())
            let second = try await pics.ask(.post, "/v1/photos?services=none", fields, CameraPhoto.jpeg())
            #expect(first.status == .created)
            #expect(second.fields["Location"] == first.fields["Location"])
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)

            var form = MultipartForm()
            form.add("services", "none")
            form.add("photo", filename: "photo.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(1)))
            var request = OutgoingRequest(
                method: .post, url: "\(pics.base)/v1/photos", fields: ["Upload-Complete": "?1"], body: form.body,
                addressPolicy: .any)
            request.fields.add("Authorization", "Bearer \(pics.token)")
            request.fields.add("Content-Type", form.mediaType.description)
            #expect(try await pics.send(request).status == .created)
        }
    }

    @Test func `a creation of an upload is answered once too, and says how far the upload is by then`() async throws {
        try await withInProcessPics { pics in
            let fields: HTTPFields = [
                "Tus-Resumable": "1.0.0", "Upload-Length": "5", "Idempotency-Key": "u",
                "Content-Type": "application/offset+octet-stream",
            ]
            let first = try await pics.ask(.post, "/v1/uploads", fields, [1])
            let second = try await pics.ask(.post, "/v1/uploads", fields, [1])
            #expect(second.status == .created)
            #expect(second.fields["Location"] == first.fields["Location"])
            #expect(second.fields["Upload-Offset"] == "1")
            #expect(second.fields["Tus-Resumable"] == "1.0.0")
            let url = try #require(first.fields["Location"])
            #expect(try await pics.patchTus(url, at: 1, [2, 3]).status == .noContent)
            #expect(try await pics.ask(.post, "/v1/uploads", fields, [1]).fields["Upload-Offset"] == "3")
            #expect(try await pics.json("/v1/uploads")["items"]?.array?.count == 1)
        }
    }

    @Test func `a creation that brings a whole photo under a key makes it, and once`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let tus: HTTPFields = [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(photo.count)", "Idempotency-Key": "t",
                "Content-Type": "application/offset+octet-stream",
            ]
            let first = try await pics.ask(.post, "/v1/uploads?services=none", tus, photo)
            let second = try await pics.ask(.post, "/v1/uploads?services=none", tus, photo)
            #expect(first.status == .created)
            #expect(first.fields["Link"]?.contains("/v1/photos/") == true)
            #expect(second.fields["Link"] == first.fields["Link"])
            #expect(second.fields["Upload-Offset"] == "\(photo.count)")

            let begin: HTTPFields = ["Idempotency-Key": "i", "Upload-Complete": "?0", "Content-Type": "image/jpeg"]
            let begun = try await pics.ask(.post, "/v1/photos?services=none", begin, Array(photo[..<100]))
            let url = try #require(begun.fields["Location"])
            let made = try await pics.ask(
                .patch, url,
                ["Upload-Complete": "?1", "Upload-Offset": "100", "Content-Type": "application/partial-upload"],
                Array(photo[100...]))
            let again: HTTPFields = ["Idempotency-Key": "i", "Upload-Complete": "?1", "Content-Type": "image/jpeg"]
            let repeated = try await pics.ask(.post, "/v1/photos?services=none", again, photo)
            #expect(made.status == .created)
            #expect(repeated.fields["Location"] == made.fields["Location"])
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 2)
        }
    }

    @Test func `a photo of the same bytes is offered before they are sent`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let first = try JSONValue(parsing: try await post(photo, "boats", key: "1", to: pics).body)
            let known: HTTPFields = [
                "If-None-Match": "\"\(SHA256Digest(of: photo))\"", "Content-Type": "image/jpeg",
            ]
            let refused = try await pics.ask(.post, "/v1/photos", known, photo)
            #expect(refused.status == .preconditionFailed)
            #expect(try JSONValue(parsing: refused.body)["photo"] == first["id"])
            let any = try await pics.ask(
                .post, "/v1/photos", ["If-None-Match": "*", "Content-Type": "image/jpeg"], photo)
            #expect(any.status == .preconditionFailed)
        }
    }

    @Test func `a finished upload becomes one photo by its identifier`() async throws {
        try await withInProcessPics { pics in
            let photo = CameraPhoto.jpeg()
            let url = try await pics.beginTus(["Upload-Length": "\(photo.count)"])
            let id = String(url.split(separator: "/").last ?? "")
            func make(_ body: JSONValue, key: String? = nil) async throws -> IncomingResponse {
                var fields: HTTPFields = ["Content-Type": "application/json"]
                if let key { fields.add("Idempotency-Key", key) }
                return try await pics.ask(.post, "/v1/photos", fields, body.serialized)
            }
            #expect(try await make(["upload": .string(id)]).status == .conflict)
            _ = try await pics.patchTus(url, at: 0, photo)
            let body: JSONValue = ["upload": .string(id), "caption": "boats", "services": []]
            let made = try await make(body, key: "p")
            #expect(made.status == .created)
            #expect(try await make(body, key: "p").body == made.body)
            #expect(try JSONValue(parsing: made.body)["caption"] == "boats")
            #expect(try await make(["upload": .string(id)]).status == .conflict)
            #expect(try await make(["upload": "none"]).status == .badRequest)
            #expect(try await make(["upload": .string(UUID().uuidString)]).status == .unprocessableContent)
        }
    }
}
