import Foundation
import HTTP
import TestPics
import Testing

/// Requests during which the database fails.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    @Test(arguments: [FaultProxy.defect, .lostRequest, .refused(sqlState: "53100")])
    func `a request that reads says what is wrong, whichever statement fails`(fault: FaultProxy.Fault) async throws {
        try await withInProcessPics { pics in
            let photo = try await pics.makePhoto("read")
            let submission = try await pics.submission(of: photo)
            // `/status` reads for several callers at once, and `/readyz` tells trouble in its own way.
            let others = ["/v1/events", "/status", "/readyz"]
            let paths = pics.routes.compactMap { route -> String? in
                guard route.method == .get, !route.isPage, !others.contains(route.path) else {
                    return nil
                }
                let path = route.path.replacing("/v1/photos/{id}", with: "/v1/photos/\(photo)")
                    .replacing("/v1/submissions/{id}", with: "/v1/submissions/\(submission)")
                return path.contains("{") ? nil : path
            }
            #expect(paths.count > 15)
            for path in paths {
                try await pics.failEachStatement(of: path, fault) { try await pics.ask(.get, path) }
            }
        }
    }

    @Test(arguments: [
        (FaultProxy.Fault.lostRequest, "The database cannot be reached."),
        (FaultProxy.defect, "The database reports an error."),
    ])
    func `a server that cannot use its database is not ready, and says why`(
        fault: FaultProxy.Fault, reason: String
    ) async throws {
        try await withInProcessPics { pics in
            #expect(try await pics.ask(.get, "/readyz").status == .ok)
            pics.faults.fail(1, fault)
            let response = try await pics.ask(.get, "/readyz")
            #expect(response.status == .serviceUnavailable)
            #expect(try JSONValue(parsing: response.body)["problems"]?["database"]?.string == reason)
        }
    }

    @Test(arguments: ChangingRequest.all, [FaultProxy.defect, .lostReply])
    func `a request that changes something does it whole or not at all, and can be sent again`(
        request: ChangingRequest, fault: FaultProxy.Fault
    ) async throws {
        try await withInProcessPics { pics in
            let count = try await pics.failEachStatement(of: request, fault)
            #expect(count > 1)
        }
    }
}

extension InProcessPics {
    fileprivate func makePhoto(_ caption: String) async throws -> String {
        let response = try await post(CameraPhoto.jpeg(), caption: caption)
        return try #require(try JSONValue(parsing: response.body)["id"]?.string, "\(response.status.code)")
    }

    fileprivate func submission(of photo: String) async throws -> String {
        try #require(try await json("/v1/photos/\(photo)/submissions")["items"]?[0]?["id"]?.string)
    }
}

extension ChangingRequest {
    fileprivate static let all = [
        createPhoto, editPhoto, deletePhoto, like, unlike, send, cancel, retry, reschedule, editSettings, pauseAccount,
        disconnect,
        createWebhook, editWebhook, deleteWebhook, createUpload, endUpload, deleteUpload, pauseQueue,
    ]

    // MARK: Photos

    private static let createPhoto = ChangingRequest(
        "create a photo",
        state: """
            SELECT (SELECT count(*) FROM photos WHERE caption = $1) || ' ' ||
                (SELECT count(*) FROM short_links JOIN photos ON photos.id = photo_id WHERE caption = $1) || ' ' ||
                (SELECT count(*) FROM submissions s JOIN jobs ON submission_id = s.id JOIN photos p ON p.id = photo_id
                    WHERE caption = $1) AS state
            """, from: "0 0 0", to: "1 1 1", 201, again: [],
        prepare: { _ in UUID().uuidString },
        send: { pics, caption in
            try await pics.post(CameraPhoto.jpeg(), caption: caption, with: ["Idempotency-Key": caption])
        })

    private static let editPhoto = ChangingRequest(
        "edit a photo", state: "SELECT caption AS state FROM photos WHERE id = split_part($1, ' ', 1)::uuid",
        from: "before", to: "after", 200, again: [412],
        prepare: { pics in
            let id = try await pics.makePhoto("before")
            return "\(id) \(try await pics.ask(.get, "/v1/photos/\(id)").fields["ETag"] ?? "")"
        },
        send: { pics, photo in
            let parts = photo.split(separator: " ")
            return try await pics.ask(
                .patch, "/v1/photos/\(parts[0])", json: ["caption": "after"], with: ["If-Match": String(parts[1])])
        })

    private static let deletePhoto = ChangingRequest(
        "delete a photo", state: "SELECT (deleted_at IS NOT NULL)::text AS state FROM photos WHERE id = $1::uuid",
        from: "false", to: "true", 204, again: [404, 410], prepare: { try await $0.makePhoto("delete") },
        send: { try await $0.ask(.delete, "/v1/photos/\($1)") })

    private static let likes = """
        SELECT like_count || ' ' || (SELECT count(*) FROM likes WHERE photo_id = id) AS state FROM photos
        WHERE id = $1::uuid
        """

    private static let like = ChangingRequest(
        "like a photo", state: likes, from: "0 0", to: "1 1", 200, again: [],
        prepare: { try await $0.makePhoto("like") }, send: { try await $0.ask(.put, "/v1/photos/\($1)/like") })

    private static let unlike = ChangingRequest(
        "unlike a photo", state: likes, from: "1 1", to: "0 0", 200, again: [],
        prepare: { pics in
            let id = try await pics.makePhoto("unlike")
            _ = try await pics.ask(.put, "/v1/photos/\(id)/like")
            return id
        }, send: { try await $0.ask(.delete, "/v1/photos/\($1)/like") })

    // MARK: Submissions

    private static let submission = "SELECT state::text AS state FROM submissions WHERE id = $1::uuid"

    private static let cancel = ChangingRequest(
        "cancel a submission", state: submission, from: "waiting", to: "cancelled", 200, again: [409],
        prepare: { try await $0.submission(of: try await $0.makePhoto("cancel")) },
        send: { try await $0.ask(.post, "/v1/submissions/\($1)/cancel") })

    private static let retry = ChangingRequest(
        "retry a submission", state: submission, from: "cancelled", to: "waiting", 200, again: [409],
        prepare: { pics in
            let id = try await pics.submission(of: try await pics.makePhoto("retry"))
            _ = try await pics.ask(.post, "/v1/submissions/\(id)/cancel")
            return id
        }, send: { try await $0.ask(.post, "/v1/submissions/\($1)/retry") })

    private static let send = ChangingRequest(
        "send a stored photo on",
        state: """
            SELECT (SELECT count(*) FROM submissions WHERE photo_id = $1::uuid) || ' ' ||
                (SELECT count(*) FROM submissions s JOIN jobs ON submission_id = s.id WHERE photo_id = $1::uuid) AS state
            """, from: "0 0", to: "1 1", 200, again: [],
        prepare: { try await $0.photoID("send") },
        send: { try await $0.ask(.post, "/v1/photos/\($1)/submissions", json: ["services": ["file"]]) })

    private static let reschedule = ChangingRequest(
        "move the time of a submission",
        state: """
            SELECT (scheduled_at IS NOT NULL) || ' ' || (run_at > now()) AS state
              FROM submissions s JOIN jobs ON submission_id = s.id WHERE s.id = $1::uuid
            """, from: "false false", to: "true true", 200, again: [],
        prepare: { try await $0.submission(of: try await $0.makePhoto("reschedule")) },
        send: { pics, id in
            let tomorrow = Date().addingTimeInterval(86_400).ISO8601Format()
            return try await pics.ask(.patch, "/v1/submissions/\(id)", json: ["scheduled_at": .string(tomorrow)])
        })

    private static let pauseQueue = ChangingRequest(
        "pause the queue", state: "SELECT bool_or(paused)::text AS state FROM gates WHERE $1 <> ''", from: "false",
        to: "true", 200, again: [],
        prepare: { pics in
            _ = try await pics.ask(.post, "/v1/queue/resume", json: [:])
            return "queue"
        }, send: { pics, _ in try await pics.ask(.post, "/v1/queue/pause", json: [:]) })

    // MARK: Settings and accounts

    private static let editSettings = ChangingRequest(
        "change settings", state: "SELECT signature AS state FROM users WHERE name = $1", from: nil,
        to: "Ann", 200, again: [],
        prepare: { pics in
            _ = try await pics.ask(.patch, "/v1/settings", json: ["signature": .null])
            return "admin"
        }, send: { pics, _ in try await pics.ask(.patch, "/v1/settings", json: ["signature": "Ann"]) })

    private static func account(_ pics: InProcessPics) async throws -> String {
        let known = try await pics.json("/v1/connections")["items"]?[0]?["id"]?.string
        if let known { return known }
        let made = try await pics.ask(.post, "/v1/connections", json: ["service": "file"])
        return try #require(try JSONValue(parsing: made.body)["id"]?.string)
    }

    private static let pauseAccount = ChangingRequest(
        "pause an account", state: "SELECT paused::text AS state FROM lanes WHERE connection_id = $1::uuid",
        from: "false", to: "true", 200, again: [],
        prepare: { pics in
            let id = try await account(pics)
            _ = try await pics.ask(.patch, "/v1/connections/\(id)", json: ["paused": false])
            return id
        }, send: { try await $0.ask(.patch, "/v1/connections/\($1)", json: ["paused": true]) })

    private static let disconnect = ChangingRequest(
        "disconnect an account",
        state: "SELECT state || ' ' || (length(credentials) > 0)::text AS state FROM connections WHERE id = $1::uuid",
        from: "ok true", to: "disabled false", 200, again: [404], prepare: { try await account($0) },
        send: { try await $0.ask(.delete, "/v1/connections/\($1)") })

    // MARK: Webhooks

    private static func webhook(_ pics: InProcessPics) async throws -> String {
        let made = try await pics.ask(.post, "/v1/webhooks", json: ["url": "https://a.example/"])
        let id = try #require(try JSONValue(parsing: made.body)["id"]?.string, "\(made.text)")
        return id
    }

    private static let createWebhook = ChangingRequest(
        "create a webhook", state: "SELECT least(count(*), 1)::text AS state FROM webhooks WHERE url = $1", from: "0",
        to: "1",
        201, again: [], prepare: { _ in "https://\(UUID().uuidString.lowercased()).example/" },
        send: { try await $0.ask(.post, "/v1/webhooks", json: ["url": .string($1)]) })

    private static let editWebhook = ChangingRequest(
        "change a webhook", state: "SELECT url AS state FROM webhooks WHERE id = $1::uuid", from: "https://a.example/",
        to: "https://b.example/", 200, again: [], prepare: { try await webhook($0) },
        send: { try await $0.ask(.patch, "/v1/webhooks/\($1)", json: ["url": "https://b.example/"]) })

    private static let deleteWebhook = ChangingRequest(
        "delete a webhook", state: "SELECT count(*)::text AS state FROM webhooks WHERE id = $1::uuid", from: "1",
        to: "0", 204, again: [404], prepare: { try await webhook($0) },
        send: { try await $0.ask(.delete, "/v1/webhooks/\($1)") })

    // MARK: Uploads

    private static let createUpload = ChangingRequest(
        "create an upload", state: "SELECT count(*)::text AS state FROM uploads WHERE metadata = $1", from: "0",
        to: "1",
        201, again: [], prepare: { _ in "name \(Data(UUID().uuidString.utf8).base64EncodedString())" },
        send: { pics, metadata in
            try await pics.ask(
                .post, "/v1/uploads",
                [
                    "Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": metadata,
                    "Idempotency-Key": String(metadata.dropFirst(5)),
                ])
        })

    private static func upload(_ pics: InProcessPics) async throws -> String {
        let url = try await pics.beginTus(["Upload-Length": "9"])
        return String(url.split(separator: "/").last ?? "")
    }

    private static let endUpload = ChangingRequest(
        "end an upload", state: "SELECT state::text AS state FROM uploads WHERE id = $1::uuid", from: "receiving",
        to: "complete", 204, again: [409], prepare: { try await upload($0) },
        send: { pics, upload in
            // A client asks first how far the upload is.
            let known = try await pics.ask(.head, "/v1/uploads/\(upload)", ["Tus-Resumable": "1.0.0"])
            guard known.status == .ok, let offset = known.fields["Upload-Offset"].flatMap({ Int($0) }) else {
                return known
            }
            return try await pics.patchTus(
                "/v1/uploads/\(upload)", at: offset, Array("no photo.".utf8.dropFirst(offset)))
        })

    private static let deleteUpload = ChangingRequest(
        "delete an upload", state: "SELECT count(*)::text AS state FROM uploads WHERE id = $1::uuid", from: "1",
        to: "0",
        204, again: [404, 410], prepare: { try await upload($0) },
        send: { try await $0.ask(.delete, "/v1/uploads/\($1)", ["Tus-Resumable": "1.0.0"]) })
}
