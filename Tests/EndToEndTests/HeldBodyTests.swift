import Foundation
import HTTP
import TestPics
import Testing

/// Requests whose bodies come late: what their senders may do is what they may do at the end.
@Suite(.timeLimit(.minutes(10)))
struct HeldBodyTests {
    @Test func `an admin whose right is taken while a form is still to come makes no invitation`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            try await pics.letIn("bob")
            #expect(try await pics.command("user", "admin", "bob", "yes").status == 0)
            var bob = try await pics.browser(of: "bob")
            let token = try #require(try await bob.open("/settings/people").formToken)
            let form: FormFields = ["name": "", "admin": "yes", "form_token": token]
            let held = try HeldRequest(
                to: pics, "POST /settings/people/invite", Array(form.encoded.utf8),
                [
                    "Content-Type": "application/x-www-form-urlencoded",
                    "Cookie": bob.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "),
                ])

            #expect(try await pics.command("user", "admin", "bob", "no").status == 0)

            #expect(held.finish().hasPrefix("HTTP/1.1 403 "))
            #expect(try await pics.change("DELETE FROM invitations WHERE invited_by IS NOT NULL") == 0)
        }
    }

    @Test func `a session that ends while a form is still to come makes no token`() async throws {
        try await withPics { pics in
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            let token = try #require(try await bob.open("/settings/tokens").formToken)
            let form: FormFields = ["name": "kept", "scope": "write", "form_token": token]
            let held = try HeldRequest(
                to: pics, "POST /settings/tokens", Array(form.encoded.utf8),
                [
                    "Content-Type": "application/x-www-form-urlencoded",
                    "Cookie": bob.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "),
                ])

            _ = try await pics.change("DELETE FROM sessions")

            #expect(held.finish().hasPrefix("HTTP/1.1 303 "))
            #expect(try await pics.change("DELETE FROM tokens WHERE name = 'kept'") == 0)
        }
    }

    @Test func `a token that is revoked while a body is still to come changes and stores nothing`() async throws {
        try await withPics { pics in
            let authorization = "Bearer \(try pics.token)"
            let webhook = try HeldRequest(
                to: pics, "POST /v1/webhooks", Array(#"{"url": "https://example.com/hook"}"#.utf8),
                ["Content-Type": "application/json", "Authorization": authorization])
            let photo = try HeldRequest(
                to: pics, "POST /v1/photos", CameraPhoto.jpeg(),
                ["Content-Type": "image/jpeg", "Authorization": authorization])

            _ = try await pics.change("UPDATE tokens SET revoked_at = now()")

            #expect(webhook.finish().hasPrefix("HTTP/1.1 401 "))
            #expect(photo.finish().hasPrefix("HTTP/1.1 401 "))
            #expect(try await pics.change("DELETE FROM webhooks") == 0)
            #expect(try await pics.change("DELETE FROM photos") == 0)
        }
    }

    @Test func `an event stream ends before the first news after its token was revoked`() async throws {
        try await withPics { pics in
            let other = try await pics.command("token", "create", "admin").output.trimmingCharacters(in: .newlines)
            var events = try EventReader(pics)
            try await events.begun()
            _ = try await pics.change("UPDATE tokens SET revoked_at = now() WHERE name = 'first admin'")
            let posted = try await pics.ask(
                .post, "/v1/photos", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(), token: other)
            #expect(posted.status == .created)

            await #expect(throws: PicsProcess.Failure.self) { _ = try await events.next { _ in true } }
        }
    }
}

/// A request of which the last byte has not left yet.
private struct HeldRequest {
    private let sender: Sender
    private let last: UInt8

    init(to pics: Pics, _ line: String, _ body: [UInt8], _ fields: HTTPFields) throws {
        let host = pics.base.split(separator: "/").last ?? ""
        var head = "\(line) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        last = try #require(body.last)
        sender = try Sender(to: pics, Array((head + "\r\n").utf8) + body.dropLast())
    }

    /// Sends the last byte; the whole answer.
    func finish() -> String { sender.send([last]) ? sender.response() : "" }
}
