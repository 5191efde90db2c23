import Curl
import Foundation
import HTTP
import TestPics
import Testing

/// Bodies with members that nothing reads, as clients with a typing error send them.
struct UnknownMemberTests {
    @Test(.timeLimit(.minutes(5)))
    func `a member that nothing reads is refused by its place, and the answer names those that are read`() async throws
    {
        try await withInProcessPics { pics in
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            let photo = posted["id"]?.string ?? ""
            let absent = UUID()
            for (method, path, body, sentence) in [
                (.post, "/v1/webhooks", ["url": "https://a.example/", "x": 1], "There is url."),
                (.patch, "/v1/webhooks/\(absent)", ["x": 1], "There are paused and url."),
                (.post, "/v1/connections", ["x": 1], "There are service, fields, settings, return_to."),
                (.post, "/v1/connections/\(absent)/albums", ["name": "a", "x": 1], "There is name."),
                (.post, "/v1/authorizations/\(absent)/claim", ["code": "a", "x": 1], "There is code."),
                (.post, "/v1/queue/pause", ["x": 1], "There are gate and reason."),
                (.post, "/v1/photos/\(photo)/renditions/preview", ["x": 1], "There are recipe and side."),
            ] as [(HTTPMethod, String, JSONValue, String)] {
                let response = try await pics.call(method, path, body)
                #expect(response.status == 400, "\(path)")
                #expect(response.json["errors"]?[0]?["pointer"] == "#/x", "\(path)")
                #expect(response.json["detail"]?.string == "There is no such member. \(sentence)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a parameter that nothing reads is refused by its place, and the answer names those that are read`()
        async throws
    {
        try await withInProcessPics { pics in
            let absent = UUID()
            for (method, path, sentence) in [
                (.get, "/v1/uploads?limit=1&q=boat", "There are limit and cursor."),
                (.get, "/v1/uploads?q", "There are limit and cursor."),
                (.get, "/v1/services?q=1", "There is none."),
                (.delete, "/v1/photos/\(absent)?q=1", "There is everywhere."),
                (.post, "/v1/photos/\(absent)/renditions/preview?q=1", "There is none."),
                (.post, "/v1/webhooks?q=1", "There is none."), (.get, "/v1/uploads/\(absent)?q=1", "There is none."),
            ] as [(HTTPMethod, String, String)] {
                let response = try await pics.call(method, path, [:])
                #expect(response.status == 400, "\(path)")
                #expect(response.json["errors"]?[0]?["pointer"] == "#/q", "\(path)")
                #expect(response.json["detail"]?.string == "There is no such parameter. \(sentence)", "\(path)")
            }
            #expect(try await pics.send(.get, "/v1/uploads?q=1", isAnonymous: true).status == .unauthorized)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a query says of a photo what its form says, once`() async throws {
        try await withInProcessPics { pics in
            var form = MultipartForm()
            form.add("alt_text", "A boat")
            form.add("photo", filename: "photo.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg()))
            func post(_ query: String) async throws -> IncomingResponse {
                try await pics.send(
                    .post, "/v1/photos?\(query)", body: form.body, type: form.mediaType.description)
            }

            let twice = try await post("alt_text=boat")
            let posted = try await post("caption=At%20sea&services=none")

            #expect(twice.status == .badRequest)
            let photo = try JSONValue(parsing: posted.body)
            #expect(photo["caption"] == "At sea" && photo["alt_text"] == "A boat" && photo["submissions"] == [])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a member is pointed to whatever it is called`() async throws {
        try await withInProcessPics { pics in
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "one").body)
            let photo = posted["id"]?.string ?? ""
            for (path, body, parent) in [
                ("/v1/webhooks", ["a/b~c": 1], "#"), ("/v1/queue/pause", ["a/b~c": "d"], "#"),
                ("/v1/photos/\(photo)/renditions/preview", ["recipe": ["a/b~c": 1]], "#/recipe"),
            ] as [(String, JSONValue, String)] {
                let response = try await pics.call(.post, path, body)
                #expect(response.status == 400, "\(path)")
                #expect(response.json["errors"]?[0]?["pointer"]?.string == "\(parent)/a~1b~0c", "\(path)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a body that is no object is refused as a whole`() async throws {
        try await withInProcessPics { pics in
            for (method, path) in [
                (.post, "/v1/webhooks"), (.patch, "/v1/webhooks/\(UUID())"), (.post, "/v1/connections"),
                (.post, "/v1/queue/pause"),
            ] as [(HTTPMethod, String)] {
                let response = try await pics.call(method, path, [])
                #expect(response.status == 400, "\(path)")
                #expect(response.json["errors"]?[0]?["pointer"] == "#", "\(path)")
                #expect(response.json["detail"] == "The body must be a JSON object.")
            }
        }
    }
}
