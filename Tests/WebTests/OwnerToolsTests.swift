import Foundation
import HTTP
import TestPics
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OwnerToolsTests {
    /// Posts a photo to the archive, where it waits, since no worker runs; its code.
    private func posted(_ pics: InProcessPics, _ fields: [String: String] = ["services": "file"]) async throws -> String
    {
        let answer = try await pics.post(CameraPhoto.jpeg(.random(in: 0..<1 << 40)), caption: "boats", fields)
        return try #require(try JSONValue(parsing: answer.body)["code"]?.string)
    }

    private func state(_ pics: InProcessPics) async throws -> String? {
        try await pics.json("/v1/photos")["items"]?[0]?["submissions"]?[0]?["state"]?.string
    }

    @Test func `the owner alone sees what became of a photo and what can be done`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            try await pics.letIn("bob")
            var owner = try await pics.browser()
            var other = try await pics.browser(of: "bob")
            var stranger = Browser(pics)

            let page = try await owner.open("/\(code)")
            #expect(page.text.contains("class=\"tools\"") && page.text.contains("waiting"))
            #expect(page.text.contains(" data-posts data-open>"))
            #expect(page.fields["Cache-Control"]?.hasPrefix("private") == true)
            #expect(try await !other.open("/\(code)").text.contains("class=\"tools\""))
            #expect(try await !stranger.open("/\(code)").text.contains("class=\"tools\""))
            let id = try #require(
                page.text.firstMatch(of: #/submissions\/([0-9a-f-]{36})\/cancel/#).map { String($0.1) })
            for path in ["edit", "send", "delete", "submissions/\(id)/cancel", "submissions/\(id)/retry"] {
                #expect(try await other.submit([:], to: "/\(code)/\(path)", from: "/settings").status == 404, "\(path)")
                #expect(try await stranger.post([:], to: "/\(code)/\(path)").status == 303, "\(path)")
                let forged = try await owner.post(["form_token": "x"], to: "/\(code)/\(path)")
                #expect(forged.status == 403, "\(path)")
            }
            #expect(try await other.open("/\(code)/delete").status == 404)
            #expect(try await state(pics) == "waiting")
        }
    }

    @Test func `who is signed out is asked to sign in where a private photo may be, and comes back to it`() async throws
    {
        try await withInProcessPics { pics in
            let code = try await pics.photo("mine", ["visibility": "private"])
            var browser = Browser(pics)
            try await pics.letIn("admin")

            let page = try await browser.open("/\(code)")
            let nothing = try await browser.open("/Zz3dE9xZ")

            #expect(page.status == 404 && page.text.contains("href=\"/login?next=%2F\(code)\""))
            #expect(page.text.replacing(code, with: "Zz3dE9xZ") == nothing.text)
            #expect(try await browser.signIn("admin", testPassword, next: "/\(code)").location == "/\(code)")
            #expect(try await browser.open("/\(code)").text.contains("mine"))
            #expect(try await !browser.open("/Zz3dE9xZ").text.contains("/login"))
        }
    }

    @Test func `a post is cancelled, sent again, and resolved by a look`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            var browser = try await pics.browser()
            let page = try await browser.open("/\(code)").text
            let id = try #require(page.firstMatch(of: #/submissions\/([0-9a-f-]{36})\/cancel/#).map { String($0.1) })
            func act(_ action: String) async throws -> String? {
                try await browser.submit([:], to: "/\(code)/submissions/\(id)/\(action)", from: "/\(code)").location
            }

            #expect(try await act("cancel") == "/\(code)?done=acted#tools")
            #expect(try await state(pics) == "cancelled")
            #expect(try await act("retry") == "/\(code)?done=acted#tools")
            #expect(try await state(pics) == "waiting")
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET state = 'unknown'")
            let asked = try await browser.open("/\(code)").text
            #expect(asked.contains("It was posted") && asked.contains("/resolve\""))
            #expect(try await act("resolve") == "/\(code)?done=acted#tools")
            #expect(try await browser.open("/\(code)").text.contains(" data-posts>"))
            #expect(try await state(pics) == "done")
            #expect(try await act("cancel") == "/\(code)?done=late#tools")
            #expect(try await browser.open("/\(code)?done=late").text.contains("already finished"))
        }
    }

    @Test func `a post is deleted while its photo stays, and the photo is posted there again as another submission`()
        async throws
    {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            var browser = try await pics.browser()
            func submission() async throws -> JSONValue? {
                try await pics.json("/v1/photos")["items"]?[0]?["submissions"]?[0]
            }
            let id = try #require(try await submission()?["id"]?.string)
            let account = try #require(try await pics.json("/v1/connections")["items"]?[0]?["id"]?.string)
            func delete() async throws -> String? {
                try await browser.submit([:], to: "/\(code)/submissions/\(id)/delete", from: "/\(code)").location
            }
            func postAgain() async throws -> String? {
                try await browser.submit(["services": account], to: "/\(code)/send", from: "/\(code)").location
            }

            #expect(try await delete() == "/\(code)?done=late#tools")
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET state = 'done', remote_id = '1', network_likes = 3")
            try await pics.change("UPDATE photos SET network_like_count = 3")
            for _ in 0..<2 { #expect(try await delete() == "/\(code)?done=taken#tools") }
            #expect(try await browser.open("/\(code)?done=taken").text.contains("being deleted"))
            // Nothing is posted beside a post that is there.
            _ = try await postAgain()
            #expect(try await submission()?["id"]?.string == id)
            try await pics.change("DELETE FROM jobs WHERE kind = 'delete'")
            try await pics.change("UPDATE submissions SET state = 'deleted'")

            #expect(try await browser.open("/\(code)").text.contains("Post again"))
            #expect(try await postAgain() == "/\(code)?done=sent#tools")

            let next = try #require(try await submission())
            #expect(next["state"] == "waiting" && next["id"]?.string != id)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["likes"]?["networks"] == 0)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["submissions"]?.array?.count == 1)
        }
    }

    @Test func `after an edit the page says for each account whether the post has it, and what can be done`()
        async throws
    {
        try await withInProcessPics { pics in
            try await pics.connect("mastodon", "ann")
            try await pics.connect("flickr", "eve")
            let code = try await posted(pics, ["services": "mastodon,flickr,file"])
            var browser = try await pics.browser()
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET state = 'done', remote_id = id::text")
            func edit(_ caption: String) async throws -> String {
                let version = try await pics.json("/v1/photos")["items"]?[0]?["caption"] == "boats" ? "1" : "2"
                let form: FormFields = ["caption": caption, "visibility": "public", "version": version]
                let answer = try await browser.submit(form, to: "/\(code)/edit", from: "/\(code)")
                return try await browser.open(answer.location?.split(separator: "#").first.map(String.init) ?? "").text
            }

            let page = try await edit("ships")

            #expect(page.contains("data-edit=\"waiting\">Your last edit is on its way."))
            #expect(page.contains(" data-posts data-open>"))
            #expect(page.contains("Posts cannot be changed at: File, Flickr."))
            #expect(page.count(of: "data-edit=\"unsupported\">The post does not have your last edit") == 2)
            #expect(page.count(of: "Delete post</button>") == 3)
            try await pics.change("DELETE FROM jobs")
            let refused = try await browser.open("/\(code)").text
            #expect(
                refused.contains("data-edit=\"refused\">Your last edit did not arrive. Save the words again to retry"))
            #expect(try await edit("ships").contains("data-edit=\"waiting\""))
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET edit = 'done' WHERE edit = 'waiting'")
            #expect(try await browser.open("/\(code)").text.contains("data-edit=\"done\">The post has your last edit."))
            try await pics.change("UPDATE submissions SET state = 'deleted'")
            let deleted = try await browser.open("/\(code)").text
            #expect(!deleted.contains("data-edit") && deleted.contains("Post again"))
        }
    }

    @Test func `making a photo private says which posts stay`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            var browser = try await pics.browser()
            try await pics.change("DELETE FROM jobs")
            try await pics.change("UPDATE submissions SET state = 'done', remote_id = '1'")

            let answer = try await browser.submit(
                ["version": "1", "caption": "boats", "visibility": "private"], to: "/\(code)/edit", from: "/\(code)")

            #expect(answer.location == "/\(code)?done=private#tools")
            let page = try await browser.open("/\(code)?done=private").text
            #expect(page.contains("Posts that are out stay: File.") && page.contains("Delete post"))
        }
    }

    @Test func `a photo that is stored is sent on, now or later`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics, ["services": "none"])
            var browser = try await pics.browser()
            let page = try await browser.open("/\(code)").text
            let account = try #require(
                page.firstMatch(of: #/name="services" value="([0-9a-f-]{36})"/#).map { String($0.1) })
            func send(_ form: FormFields) async throws -> String? {
                try await browser.submit(form, to: "/\(code)/send", from: "/\(code)").location
            }

            #expect(try await send([:]) == "/\(code)?done=none#tools")
            #expect(try await send(["services": "nowhere"]) == "/\(code)?done=refused#tools")
            #expect(
                try await send(["services": account, "scheduled_at": "2020-01-01T00:00"])
                    == "/\(code)?done=refused#tools")
            let tomorrow = Date().addingTimeInterval(86_400).ISO8601Format(.iso8601(timeZone: .gmt)).prefix(16)
            #expect(
                try await send(["services": account, "scheduled_at": String(tomorrow)]) == "/\(code)?done=sent#tools")
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["state"] == "scheduled")
            let after = try await browser.open("/\(code)").text
            #expect(after.contains("Send now") && !after.contains("Send to more accounts"))
        }
    }

    @Test func `words, album and visibility are edited, and a change made elsewhere is not overwritten`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics, ["services": "none"])
            var browser = try await pics.browser()
            func edit(_ form: FormFields) async throws -> String? {
                try await browser.submit(form, to: "/\(code)/edit", from: "/\(code)").location
            }

            let edited = try await edit([
                "version": "1", "caption": "one\r\ntwo", "alt_text": "A <boat>", "album": "Sea",
                "visibility": "private",
            ])

            #expect(edited == "/\(code)?done=private#tools")
            let photo = try await pics.json("/v1/photos")["items"]?[0]
            #expect(photo?["caption"] == "one\ntwo" && photo?["alt_text"] == "A <boat>")
            #expect(photo?["album"] == "Sea" && photo?["visibility"] == "private")
            #expect(try await edit(["version": "1", "caption": "late"]) == "/\(code)?done=changed#tools")
            #expect(try await edit(["version": "2", "visibility": "all"]) == "/\(code)?done=refused#tools")
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["caption"] == "one\ntwo")
            #expect(try await browser.open("/\(code)").text.contains("A &lt;boat&gt;"))
        }
    }

    @Test func `a photo is deleted after a question`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            var browser = try await pics.browser()

            #expect(try await browser.open("/\(code)/delete").text.contains("removed from this server"))
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
            let deleted = try await browser.submit([:], to: "/\(code)/delete", from: "/\(code)/delete")

            #expect(deleted.location == "/?done=deleted&photo=\(code)")
            #expect(try await browser.open("/\(code)").status == 410)
            #expect(try await browser.open("/?done=deleted").text.contains("Photo deleted."))
        }
    }

    @Test func `a deleted photo comes back by Undo, or from its page, as long as that says so`() async throws {
        try await withInProcessPics { pics in
            let code = try await posted(pics)
            var browser = try await pics.browser()
            let notice = "/?done=deleted&photo=\(code)"
            for place in [notice, "/\(code)"] {
                _ = try await browser.submit([:], to: "/\(code)/delete", from: "/\(code)/delete")
                let restored = try await browser.submit([:], to: "/\(code)/restore", from: place)
                #expect(restored.location == "/\(code)?done=restored#tools")
                let page = try await browser.open("/\(code)?done=restored")
                #expect(page.status == 200 && page.text.contains("Photo restored."))
            }
            // Again changes nothing.
            #expect(try await browser.submit([:], to: "/\(code)/restore", from: notice).status == 303)

            _ = try await browser.submit([:], to: "/\(code)/delete", from: "/\(code)/delete")
            try await pics.change("UPDATE deleted_photos SET deleted_at = now() - interval '2 days'")
            let late = try await browser.open("/\(code)")
            #expect(late.status == 410 && !late.text.contains("Restore photo"))
            #expect(try await browser.submit([:], to: "/\(code)/restore", from: notice).status == 410)
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
