import HTTP
import TestPics
import Testing

/// `POST /v1/photos` with several photos for one post.
@Suite(.timeLimit(.minutes(5)))
struct SeveralPhotosTests {
    @Test func `several parts named photo are one post, with the words of each`() async throws {
        try await withInProcessPics { pics in
            let post = try await pics.post(photos: 3, ["caption": "Boats"], altTexts: ["one", "two"])
            #expect(post.status == .created)
            let with = post.json["with"]?.array?.compactMap(\.string) ?? []
            try #require(with.count == 2)
            #expect(post.json["part_of"] == .null && post.json["alt_text"] == "one")
            #expect(try await pics.json("/v1/photos/\(with[0])")["alt_text"] == "two")
            #expect(try await pics.json("/v1/photos/\(with[1])")["alt_text"] == "")
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
        }
    }

    @Test func `each photo has the recipe of its place, in a form and in JSON, also as a draft`() async throws {
        try await withInProcessPics { pics in
            let none = JSONValue.null
            let form = try await pics.post(
                photos: 3, ["caption": "Boats"], recipes: [#"{"enhance": true}"#, "", #"{"square": true}"#])
            #expect(form.status == .created)
            #expect(try await pics.recipes(of: form.json) == [["enhance": true], none, ["square": true]])
            let draft = try await pics.post(
                photos: 2, ["caption": "Boats", "draft": "true"], recipes: ["", #"{"square": true}"#])
            #expect(try await pics.recipes(of: draft.json) == [none, ["square": true]])
            var ids: [JSONValue] = []
            for number in 0..<2 {
                let bytes = CameraPhoto.jpeg(number)
                let url = try await pics.beginTus(["Upload-Length": "\(bytes.count)"])
                _ = try await pics.patchTus(url, at: 0, bytes)
                ids.append(.string(String(url.split(separator: "/").last ?? "")))
            }

            let body: JSONValue = ["upload": JSONValue(ids), "recipe": [none, ["enhance": true]], "services": []]
            let uploaded = try await pics.ask(.post, "/v1/photos", json: body)

            #expect(uploaded.status == .created)
            #expect(try await pics.recipes(of: uploaded.json) == [none, ["enhance": true]])
            let refused = try await pics.post(photos: 1, [:], recipes: ["", #"{"rotate": 90}"#])
            #expect(refused.status == .badRequest && refused.json["errors"]?[0]?["pointer"] == "#/recipe")
            #expect(try await pics.post(photos: 2, [:], recipes: ["", "{"]).status == .badRequest)
        }
    }

    @Test func `a part is edited by itself but for its visibility, and deleted by itself`() async throws {
        try await withInProcessPics { pics in
            let post = try await pics.post(photos: 2, [:])
            let (id, part) = (post.json["id"]?.string ?? "", post.json["with"]?[0]?.string ?? "")
            func patch(_ path: String, _ body: JSONValue) async throws -> IncomingResponse {
                let tag = try await pics.send(.get, path).fields["ETag"] ?? ""
                return try await pics.ask(
                    .patch, path, ["Content-Type": "application/merge-patch+json", "If-Match": tag], body.serialized)
            }

            #expect(try await patch("/v1/photos/\(part)", ["alt_text": "new"]).json["alt_text"] == "new")
            let refused = try await patch("/v1/photos/\(part)", ["visibility": "public"])
            #expect(refused.status == .badRequest && refused.json["errors"]?[0]?["pointer"] == "#/visibility")
            #expect(try await patch("/v1/photos/\(part)", ["album": "Sea"]).status == .badRequest)
            #expect(try await patch("/v1/photos/\(id)", ["visibility": "private"]).status == .ok)
            #expect(try await pics.json("/v1/photos/\(part)")["visibility"] == "private")

            #expect(try await pics.send(.delete, "/v1/photos/\(part)").status == .noContent)
            #expect(try await pics.json("/v1/photos/\(id)")["with"] == [])
        }
    }

    @Test func `uploads become one post, in the order of the request, once`() async throws {
        try await withInProcessPics { pics in
            var ids: [String] = []
            for number in 0..<2 {
                let bytes = CameraPhoto.jpeg(number)
                let url = try await pics.beginTus(["Upload-Length": "\(bytes.count)"])
                _ = try await pics.patchTus(url, at: 0, bytes)
                ids.append(String(url.split(separator: "/").last ?? ""))
            }
            let body: JSONValue = [
                "upload": JSONValue(Array(ids.reversed())), "alt_text": ["first", "second"], "services": [],
            ]
            func send(_ body: JSONValue) async throws -> IncomingResponse {
                try await pics.ask(.post, "/v1/photos", json: body)
            }

            let answer = try await send(body)

            #expect(answer.status == .created && answer.json["alt_text"] == "first")
            #expect(answer.json["bytes"]?.int.map(Int.init) == CameraPhoto.jpeg(1).count)
            #expect(answer.json["with"]?.array?.count == 1)
            #expect(try await send(body).status == .conflict)
            #expect(try await send(["upload": [], "services": []]).status == .badRequest)
            #expect(try await send(["upload": [.string(ids[0]), .string(ids[0])]]).status == .badRequest)
        }
    }

    @Test func `too many photos, and more words than photos, are refused and leave nothing`() async throws {
        try await withInProcessPics { pics in
            #expect(try await pics.post(photos: 21, [:]).status == .badRequest)
            let words = try await pics.post(photos: 1, [:], altTexts: ["one", "two"])
            #expect(words.status == .badRequest && words.json["errors"]?[0]?["pointer"] == "#/alt_text")
            #expect(try await pics.json("/v1/photos")["items"] == [])
            #expect(try await pics.post(photos: 20, [:]).status == .created)
        }
    }
}

extension InProcessPics {
    fileprivate func post(
        photos: Int, _ fields: [String: String], altTexts: [String] = [], recipes: [String] = []
    ) async throws -> IncomingResponse {
        var form = MultipartForm()
        for recipe in recipes { form.add("recipe", recipe) }
        for text in altTexts { form.add("alt_text", text) }
        for (name, value) in fields { form.add(name, value) }
        form.add("services", "none")
        for number in 0..<photos {
            form.add("photo", filename: "\(number).jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number)))
        }
        return try await send(.post, "/v1/photos", body: form.body, type: form.mediaType.description)
    }

    /// The recipes of a post's photos, in their order.
    fileprivate func recipes(of post: JSONValue) async throws -> [JSONValue] {
        var recipes = [post["recipe"] ?? "none"]
        for id in post["with"]?.array?.compactMap(\.string) ?? [] {
            recipes.append(try await json("/v1/photos/\(id)")["recipe"] ?? "none")
        }
        return recipes
    }
}

extension IncomingResponse {
    fileprivate var json: JSONValue {
        do { return try JSONValue(parsing: body) } catch { return .null }
    }
}
