import Foundation
import HTTP
import TestPics
import Testing

/// Where an edit of a photo reaches its posts. Mastodon edits words; X and Flickr do not; X takes four pictures, Flickr one without a
/// description.
@Suite(.timeLimit(.minutes(5)))
struct EditReachTests {
    @Test func `an edit of words is on its way where a service allows it, and is said to be missing elsewhere`()
        async throws
    {
        try await withInProcessPics { pics in
            let id = try await pics.published(["texts[twitter:bob]": "Bob's own"])
            #expect(try await pics.edits(id) == ["flickr eve": nil, "mastodon ann": nil, "twitter bob": nil])

            try await pics.patch(id, ["caption": "Ships"])
            #expect(
                try await pics.edits(id)
                    == ["flickr eve": "unsupported", "mastodon ann": "waiting", "twitter bob": nil])
            #expect(try await pics.count("jobs") == 1)
            #expect(try await pics.count("jobs WHERE kind = 'edit'") == 1)

            try await pics.patch(id, ["alt_text": "Two ships"])
            #expect(try await pics.edits(id)["twitter bob"] == "unsupported")
        }
    }

    @Test func `words that are the same queue nothing, unless they did not arrive`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.published()
            try await pics.patch(id, ["caption": "Boats", "alt_text": "", "album": "Sea", "visibility": "unlisted"])
            #expect(try await pics.edits(id).values.allSatisfy { $0 == nil })
            #expect(try await pics.count("jobs") == 0)

            try await pics.patch(id, ["caption": "Ships"])
            let submission = try #require(
                try await pics.json("/v1/photos/\(id)")["submissions"]?.array?.first { $0["service"] == "mastodon" })
            let path = "/v1/submissions/\(submission["id"]?.string ?? "")"
            let cancelled = try await pics.call(.post, "\(path)/cancel")
            #expect(cancelled.json["state"] == "done" && cancelled.json["edit"] == "refused")
            try await pics.patch(id, ["caption": "Ships"])
            #expect(try await pics.json(path)["edit"] == "waiting")
        }
    }

    @Test func `another recipe reaches no post that is out`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.published()

            try await pics.patch(id, ["recipe": ["rotate": 90]])

            #expect(try await pics.edits(id).values.allSatisfy { $0 == "unsupported" })
            #expect(try await pics.count("jobs") == 0)
        }
    }

    @Test func `labels reach posts that have them`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.published()
            try await pics.patch(id, ["language": "en"])
            #expect(try await pics.edits(id) == ["flickr eve": nil, "mastodon ann": "waiting", "twitter bob": nil])
            try await pics.patch(id, ["sensitive": true])
            #expect(
                try await pics.edits(id)
                    == ["flickr eve": "unsupported", "mastodon ann": "waiting", "twitter bob": nil])
        }
    }

    @Test func `an edit of a further photo reaches no post, and is said where the post shows it`() async throws {
        try await withInProcessPics { pics in
            let id = try await pics.published(photos: 2)
            let part = try #require(try await pics.json("/v1/photos/\(id)")["with"]?[0]?.string)

            try await pics.patch(part, ["caption": "Nobody reads it there"])
            #expect(try await pics.edits(id).values.allSatisfy { $0 == nil })
            try await pics.patch(part, ["alt_text": "A lighthouse"])

            #expect(
                try await pics.edits(id)
                    == ["flickr eve": nil, "mastodon ann": "unsupported", "twitter bob": "unsupported"])
            try await pics.patch(part, ["recipe": ["rotate": 90]])
            #expect(try await pics.edits(id)["flickr eve"] == .some(nil))
            #expect(try await pics.count("jobs") == 0)
        }
    }

    @Test func `what has not been sent goes out as edited`() async throws {
        try await withInProcessPics { pics in
            try await pics.connect("twitter", "bob")
            let id = try await pics.posted("Boats", ["services": "twitter"])["id"]?.string ?? ""

            try await pics.patch(id, ["caption": "Ships", "recipe": ["rotate": 90]])

            let submission = try await pics.json("/v1/photos/\(id)")["submissions"]?[0]
            #expect(submission?["edit"] == .null && submission?["text"]?.string?.hasPrefix("Ships") == true)
        }
    }
}

extension InProcessPics {
    /// A post that is out at accounts of Mastodon, X and Flickr; its photo.
    fileprivate func published(_ fields: [String: String] = [:], photos: Int = 1) async throws -> String {
        for (service, name) in [("mastodon", "ann"), ("twitter", "bob"), ("flickr", "eve")] {
            try await connect(service, name)
        }
        var form = MultipartForm()
        form.add("caption", "Boats")
        form.add("services", "mastodon,twitter,flickr")
        for (name, value) in fields { form.add(name, value) }
        for number in 1...photos {
            form.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number)))
        }
        let answer = try await send(.post, "/v1/photos", body: form.body, type: form.mediaType.description)
        try await change("DELETE FROM jobs")
        try await change("UPDATE submissions SET state = 'done', remote_id = id::text")
        return try JSONValue(parsing: answer.body)["id"]?.string ?? ""
    }

    fileprivate func patch(_ id: String, _ body: JSONValue) async throws {
        let answer = try await call(.patch, "/v1/photos/\(id)", body, with: ["If-Match": "*"])
        #expect(answer.status == 200)
    }

    /// The `edit` of each submission, by service and account.
    fileprivate func edits(_ photo: String) async throws -> [String: String?] {
        var edits: [String: String?] = [:]
        for submission in try await json("/v1/photos/\(photo)")["submissions"]?.array ?? [] {
            let name = "\(submission["service"]?.string ?? "") \(submission["account"]?.string ?? "")"
            edits.updateValue(submission["edit"]?.string, forKey: name)
        }
        return edits
    }

    fileprivate func count(_ rows: String) async throws -> Int { try await change("SELECT FROM \(rows)") }
}
