import Foundation
import HTTP
import TestPics
import Testing

/// Reports of photos by strangers, and what admins do with them.
@Suite(.timeLimit(.minutes(5)))
struct ReportPageTests {
    private static let path = "/settings/reports"

    private func report(
        _ code: String, by browser: inout Browser, _ form: FormFields = ["reason": "privacy", "text": "That is <me>."]
    ) async throws -> Browser.Page {
        try await browser.submit(form, to: "/\(code)/report", from: "/\(code)/report")
    }

    private func count(_ pics: InProcessPics) async throws -> Int {
        try await pics.change("UPDATE reports SET text = text")
    }

    @Test func `a stranger reports a photo without a script, and an admin makes it private`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("A boat")
            var stranger = Browser(pics)
            #expect(try await stranger.open("/\(code)").text.contains("href=\"/\(code)/report\">Report</a>"))
            let sent = try await report(
                code, by: &stranger,
                ["reason": "rights", "text": "Mine.\r\n<script>x</script>", "address": "eve@example.org"])
            #expect(sent.status == 200 && sent.text.contains("Report sent"))
            #expect(sent.text.contains("They can answer to the address that you gave."))
            // The same address again has one report, with its last words.
            _ = try await report(code, by: &stranger, ["reason": "privacy", "text": "<script>y</script>"])
            #expect(try await count(pics) == 1)

            var admin = try await pics.browser()
            #expect(try await admin.open("/activity").text.contains("href=\"\(Self.path)\">1 open report</a>"))
            let list = try await admin.open(Self.path).text
            #expect(
                list.contains("privacy</strong>") && list.contains("&lt;script&gt;y") && !list.contains("<script>y"))
            #expect(list.contains("/m/\(code)/thumb"))
            let action = try #require(list.firstMatch(of: #/\/settings\/reports\/[0-9a-f-]+/#)?.output)
            let form: FormFields = ["decision": "private", "note": "asked <nicely>"]
            let done = try await admin.submit(form, to: String(action), from: Self.path)

            let place = try #require(done.location)
            #expect(try await admin.open(place).text.contains("Photo made private."))
            #expect(try await stranger.open("/\(code)").status == 404)
            #expect(try await admin.open("/\(code)").text.contains("An admin made this photo private after a report."))
            let decided = try await admin.open(Self.path).text
            #expect(decided.contains("No open reports.") && decided.contains("Photo made private"))
            #expect(decided.contains("asked &lt;nicely&gt;"))
            #expect(
                try await admin.open("/settings/security-activity").text.contains(
                    "decision: <bdi>Photo made private</bdi>"))
            #expect(try await admin.submit(form, to: String(action), from: Self.path).status == 409)
            #expect(try await stranger.open("/\(code)/report").status == 404)
        }
    }

    @Test func `an admin deletes the photo of another, who may take that back, or dismisses the report`() async throws {
        try await withInProcessPics { pics in
            try await pics.letIn("bob")
            let token = try await pics.addUser("carol")
            let posted = try await pics.ask(
                .post, "/v1/photos", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(), token: token)
            let code = try #require(try JSONValue(parsing: posted.body)["code"]?.string)
            try await pics.letIn("carol")
            var (bob, carol, admin) = (
                try await pics.browser(of: "bob"), try await pics.browser(of: "carol"), try await pics.browser()
            )
            #expect(try await report(code, by: &bob).status == 200)
            // Their own they delete.
            #expect(try await carol.open("/\(code)/report").status == 404)
            let list = try await admin.open(Self.path).text
            let action = String(try #require(list.firstMatch(of: #/\/settings\/reports\/[0-9a-f-]+/#)?.output))
            // Nobody but admins reads or decides.
            for var other in [bob, carol] {
                #expect(try await other.open(Self.path).status == 403)
                #expect(try await other.submit(["decision": "deleted"], to: action, from: "/settings").status == 403)
            }
            #expect(try await admin.post(["decision": "deleted"], to: action).status == 403)

            let asked = try await admin.submit(["decision": "deleted"], to: action, from: Self.path)
            #expect(asked.status == 200 && asked.text.contains("Delete this photo of carol?"))
            #expect(try await bob.open("/\(code)").status == 200)
            let confirmed = try await admin.submit(
                ["decision": "deleted", "confirmed": "yes"], to: action, from: Self.path)
            #expect(confirmed.status == 303)
            let place = try #require(confirmed.location)
            #expect(try await admin.open(place).text.contains("Photo deleted. carol can restore it until "))

            let gone = try await bob.open("/\(code)")
            #expect(gone.status == 410 && !gone.text.contains("An admin"))
            #expect(try await carol.open("/\(code)").text.contains("An admin deleted this photo after a report."))
            #expect(try await carol.submit([:], to: "/\(code)/restore", from: "/settings").status == 303)
            #expect(try await admin.open(Self.path).text.contains("Photo deleted, restored by its owner"))
            #expect(try await bob.open("/\(code)").status == 200)
            #expect(try await !admin.open("/activity").text.contains("open report"))
        }
    }

    @Test func `what is no report is refused, and nothing of it is kept`() async throws {
        try await withInProcessPics(settings: ["PICS_REPORT_RATE": "2"]) { pics in
            let code = try await pics.photo("A boat")
            var stranger = Browser(pics)
            func status(_ form: FormFields) async throws -> Int { try await report(code, by: &stranger, form).status }
            #expect(try await status(["text": "x"]) == 422)
            #expect(try await status(["reason": "cake"]) == 422)
            #expect(try await status(["reason": "spam", "text": String(repeating: "x", count: 1001)]) == 422)
            #expect(try await status(["reason": "spam", "address": "nobody"]) == 422)
            // A program has filled in what no person sees.
            #expect(try await status(["reason": "spam", "website": "https://spam.test/"]) == 200)
            #expect(try await stranger.post(["reason": "spam"], to: "/\(code)/report").status == 403)
            let foreign = try await stranger.submit(
                ["reason": "spam"], to: "/\(code)/report", from: "/\(code)/report",
                with: ["Origin": "https://evil.example"])
            #expect(foreign.status == 403)
            #expect(try await stranger.open("/AAAAAAAA/report").status == 404)
            #expect(try await count(pics) == 0)

            #expect(try await status(["reason": "spam"]) == 200)
            #expect(try await status(["reason": "spam"]) == 200)
            #expect(try await status(["reason": "spam"]) == 429)
            #expect(try await count(pics) == 1)
        }
    }
}
