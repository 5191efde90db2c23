import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// The queue as phones, people and operators steer it.
@Suite(.timeLimit(.minutes(10)))
struct QueueTests {
    private let photo = CameraPhoto.jpeg()

    @Test func `events tell of a submission from its beginning to its end, and go on after a break`() async throws {
        try await withPics { pics in
            var events = try EventReader(pics)
            let posted = try await pics.post(photo, caption: "one")
            let id = try JSONValue(parsing: posted.body)["submissions"]?[0]?["id"]?.string
            let done = try await events.next { $0["id"]?.string == id && $0["state"] == "done" }
            events.stop()

            _ = try await pics.post(CameraPhoto.jpeg(2), caption: "two")
            var later = try EventReader(pics, lastEventID: done.id)
            _ = try await later.next { $0["text"] == "two" && $0["state"] == "done" }
            later.stop()
            let wrong = try await pics.ask(.get, "/v1/events", ["Last-Event-ID": "x"])
            #expect(wrong.status == .badRequest)
        }
    }

    @Test func `events tell how an upload comes on`() async throws {
        try await withPics { pics in
            var events = try EventReader(pics)
            let url = try await pics.beginTus(["Upload-Length": "\(photo.count)"])
            _ = try await events.next { $0["progress"]?["received"] == 0 && url.hasSuffix($0["id"]?.string ?? "?") }
            _ = try await pics.patchTus(url, at: 0, photo)
            _ = try await events.next { $0["state"] == "complete" }
            events.stop()
        }
    }

    @Test func `a scheduled photo waits, is told so, and goes when its owner says now`() async throws {
        try await withPics { pics in
            let time = "\(Calendar.current.component(.year, from: Date()) + 1)-01-01T09:30"
            let far = try await pics.post(photo, caption: "later", ["scheduled_at": "2999-01-01T00:00:00Z"])
            #expect(far.status == .badRequest)
            let past = try await pics.post(photo, caption: "later", ["scheduled_at": "2020-01-01T00:00+01:00"])
            #expect(past.status == .badRequest)
            #expect(String(decoding: past.body, as: UTF8.self).contains("It is in the past."))
            let unreadable = try await pics.post(photo, caption: "later", ["scheduled_at": "tomorrow"])
            #expect(unreadable.status == .badRequest)
            let posted = try await pics.post(photo, caption: "later", ["scheduled_at": time])
            #expect(posted.status == .created)
            let submission = try #require(try JSONValue(parsing: posted.body)["submissions"]?[0])
            #expect(submission["state"] == "waiting")
            #expect(submission["scheduled_at"]?.string?.hasPrefix(time.prefix(10)) == true)
            let id = submission["id"]?.string ?? ""
            _ = try await pics.send(.post, "/v1/submissions/\(id)/retry")
            let ended = try await pics.ended(try JSONValue(parsing: posted.body)["id"]?.string ?? "")
            #expect(ended[0]["state"] == "done")
        }
    }

    @Test func `a photo that is deleted everywhere is gone from the archive too`() async throws {
        try await withPics { pics in
            let posted = try JSONValue(parsing: try await pics.post(photo, caption: "gone soon").body)
            let id = posted["id"]?.string ?? ""
            let path = try #require(try await pics.ended(id)[0]["remote_id"]?.string)
            #expect(FileManager.default.fileExists(atPath: "\(pics.folder)/data/archive/\(path)"))

            let deleted = try await pics.ask(.delete, "/v1/photos/\(id)?everywhere=true")
            #expect(deleted.status == .ok)
            let body = try JSONValue(parsing: deleted.body)
            #expect(body["taken_back"]?.array?.count == 1 && body["left"]?.array?.isEmpty == true)
            let submission = body["taken_back"]?[0]?["id"]?.string ?? ""
            try await until { try await pics.json("/v1/submissions/\(submission)")["state"] == "deleted" }
            #expect(!FileManager.default.fileExists(atPath: "\(pics.folder)/data/archive/\(path)"))
            #expect(try await pics.ask(.delete, "/v1/photos/\(id)?everywhere=perhaps").status == .badRequest)
        }
    }

    @Test func `what is paused waits and says why, for an account, a service and everything`() async throws {
        try await withPics { pics in
            let connection = try #require(try await pics.json("/v1/connections")["items"]?[0]?["id"]?.string)
            func change(_ paused: Bool) async throws -> JSONValue {
                let body: JSONValue = ["paused": .bool(paused)]
                let response = try await pics.ask(
                    .patch, "/v1/connections/\(connection)", ["Content-Type": "application/json"], body.serialized)
                return try JSONValue(parsing: response.body)
            }
            #expect(try await change(true)["state"] == "paused")
            #expect(try await pics.state(ofPhotoPostedAs: "one") == "paused")
            #expect(try await change(false)["state"] == "ok")

            let pause: JSONValue = ["gate": "FilePhotoSubmitter", "reason": "The disk is being changed."]
            let paused = try await pics.ask(
                .post, "/v1/queue/pause", ["Content-Type": "application/json"], pause.serialized)
            #expect(paused.status == .ok)
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(3), caption: "two").body)
            #expect(posted["submissions"]?[0]?["state"] == "paused")
            #expect(posted["submissions"]?[0]?["problem"]?["text"] == "The disk is being changed.")
            let status = try await pics.json("/status")
            let gate = status["gates"]?.array?.first { $0["gate"] == "file" }
            #expect(gate?["paused"] == true)
            #expect(try await pics.command("queue").output.contains("paused (The disk is being changed.)"))
            #expect(try await pics.command("queue", "resume", "file").status == 0)
            #expect(try await pics.ended(posted["id"]?.string ?? "")[0]["state"] == "done")

            #expect(try await pics.command("queue", "pause").status == 0)
            #expect(try await pics.state(ofPhotoPostedAs: "three") == "paused")
            #expect(try await pics.command("queue", "resume").status == 0)
            #expect(try await pics.command("queue", "pause", "nothing").status == 1)
        }
    }

    @Test func `an operator lists, shows, cancels and retries submissions`() async throws {
        try await withPics { pics in
            _ = try await pics.command("queue", "pause")
            let posted = try JSONValue(parsing: try await pics.post(photo, caption: "words").body)
            let id = try #require(posted["submissions"]?[0]?["id"]?.string)
            #expect(try await pics.command("queue", "list", "--state", "waiting").output.contains(id))
            #expect(try await pics.command("queue", "cancel", id).output.contains("cancelled"))
            #expect(try await pics.command("queue", "list", "--service", "twitter").output.contains("none"))
            #expect(try await pics.command("queue", "resolve", id, "--not-published").status == 1)
            #expect(try await pics.command("queue", "retry", id).status == 0)
            _ = try await pics.command("queue", "resume")
            _ = try await pics.ended(posted["id"]?.string ?? "")
            let shown = try await pics.command("queue", "show", id).output
            #expect(shown.contains("words") && shown.contains("done"))
            #expect(try await pics.command("queue", "show", "nonsense").status == 2)
        }
    }

    @Test func `only what is unknown is resolved, and a member of the house alone sees it`() async throws {
        try await withPics { pics in
            let posted = try JSONValue(parsing: try await pics.post(photo, caption: "words").body)
            let id = try #require(posted["submissions"]?[0]?["id"]?.string)
            _ = try await pics.ended(posted["id"]?.string ?? "")
            func resolve(_ body: JSONValue) async throws -> HTTPStatus {
                try await pics.ask(
                    .post, "/v1/submissions/\(id)/resolve", ["Content-Type": "application/json"], body.serialized
                ).status
            }
            #expect(try await resolve(["published": true]) == .conflict)
            #expect(try await resolve(["published": "yes"]) == .badRequest)
            #expect(try await resolve(["published": true, "url": "javascript:alert(1)"]) == .badRequest)
            let tries = try await pics.json("/v1/submissions/\(id)")["tries"]?.array
            #expect(tries?.map { $0["outcome"]?.string } == ["done"])
            #expect(try await pics.ask(.get, "/v1/submissions/\(id)", token: "wrong").status == .unauthorized)
        }
    }
}

extension Pics {
    /// The state in which the only submission of a new photo begins.
    fileprivate func state(ofPhotoPostedAs caption: String) async throws -> String? {
        let response = try await post(CameraPhoto.jpeg(caption.count), caption: caption, ["services": "file"])
        return try JSONValue(parsing: response.body)["submissions"]?[0]?["state"]?.string
    }
}
