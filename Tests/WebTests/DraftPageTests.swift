import Foundation
import HTTP
import TestPics
import Testing

/// Drafts in a browser.
@Suite(.timeLimit(.minutes(5)))
struct DraftPageTests {
    /// A draft that was saved on the page for new photos; its code.
    private func saved(_ browser: inout Browser, _ fields: [(String, String)], photos: Int = 1) async throws -> String {
        var form = MultipartForm()
        form.add("form_token", try await browser.open("/new").formToken ?? "")
        for number in 0..<photos {
            form.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg(number + 1)))
        }
        form.add("services", "none")
        for (name, value) in fields { form.add(name, value) }
        form.add("draft", "true")
        let answer = try await browser.post(form, to: "/new")
        #expect(answer.location == "/?done=draft", "\(answer.status)")
        let list = try await browser.open("/?done=draft").text
        #expect(list.contains("Draft saved.") && list.contains("<span class=\"mark draft\">Draft</span>"))
        return list.firstMatch(of: #/<li class="r\d+"><a href="\/([A-Za-z0-9]{8})"/#).map { String($0.1) } ?? ""
    }

    @Test func `a draft keeps what was written, is edited, and is posted`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let account = try await pics.json("/v1/connections")["items"]?[0]?["id"]?.string ?? ""
            let code = try await saved(
                &browser,
                [
                    ("caption", "for\r\nall"), ("services", account), ("texts[\(account)]", "for <one>"),
                    ("visibility", "unlisted"), ("content_warning", "spiders"), ("language", "ja"),
                    ("scheduled_at", "2026-12-24T18:00"),
                ], photos: 2)
            let page = try await browser.open("/\(code)").text
            #expect(page.contains("href=\"/\(code)/draft\"") && page.contains("Only you can see this."))
            #expect(!page.contains("action=\"/\(code)/send\"") && !page.contains("action=\"/\(code)/edit\""))

            let draft = try await browser.open("/\(code)/draft").text
            for kept in [
                ">for\nall</textarea>", ">for &lt;one&gt;</textarea>", "value=\"unlisted\" selected",
                "value=\"spiders\"",
                "name=\"services\" value=\"\(account)\" checked", "value=\"ja\" lang=\"ja\" selected",
                "value=\"2026-12-24T18:00\"", "name=\"sensitive\" value=\"true\" checked",
            ] { #expect(draft.contains(kept), "\(kept)") }
            let part = draft.firstMatch(of: #/name="(alt_text_[A-Za-z0-9]{8})"/#).map { String($0.1) } ?? ""
            let version = draft.firstMatch(of: #/name="version" value="(\d+)"/#).map { String($0.1) } ?? ""
            func fields(_ others: [(String, String)]) -> FormFields {
                var form = FormFields()
                for (name, value) in [("version", version), ("services", "none")] + others { form.add(name, value) }
                return form
            }

            let wrong = try await browser.submit(
                fields([("caption", "anew"), ("scheduled_at", "2020-01-01T00:00")]), to: "/\(code)/draft",
                from: "/\(code)/draft")
            #expect(
                wrong.status == 422 && wrong.text.contains("in the past") && wrong.text.contains(">anew</textarea>"))
            let kept = try await browser.submit(
                fields([("caption", "anew"), (part, "Second"), ("services", account), ("draft", "true")]),
                to: "/\(code)/draft", from: "/\(code)/draft")
            #expect(kept.location == "/\(code)?done=saved#tools")
            let stale = try await browser.submit(
                fields([("caption", "too late")]), to: "/\(code)/draft", from: "/\(code)/draft")
            #expect(stale.location == "/\(code)?done=changed#tools")
            let now = try await browser.open("/\(code)/draft").text
            #expect(now.contains(">anew</textarea>") && now.contains(">Second</textarea>") && !now.contains("spiders"))

            let next = now.firstMatch(of: #/name="version" value="(\d+)"/#).map { String($0.1) } ?? ""
            let posted = try await browser.submit(
                ["version": next, "caption": "out", "services": account, "visibility": "public"], to: "/\(code)/draft",
                from: "/\(code)/draft")
            #expect(posted.location?.hasSuffix("?done=posted#tools") == true)
            let photo = try await pics.json("/v1/photos")["items"]?[0]
            #expect(photo?["visibility"] == "public" && photo?["caption"] == "out")
            #expect(photo?["submissions"]?.array?.map { $0["text"]?.string } == ["out"])
            #expect(try await browser.open("/\(code)/draft").location == "/\(code)")
        }
    }

    @Test func `a photo that waits for its time says so, and is posted when its owner says now`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let tomorrow = Date().addingTimeInterval(86_400).ISO8601Format()
            let photo = try await pics.posted("soon", ["services": "file", "scheduled_at": tomorrow])
            let code = photo["code"]?.string ?? ""
            var stranger = Browser(pics)
            #expect(try await stranger.open("/\(code)").status == 404)
            let page = try await browser.open("/\(code)").text
            #expect(page.contains("Only you see it until then.") && page.contains("action=\"/\(code)/publish\""))
            #expect(page.contains("<option value=\"public\" selected>"))

            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await bob.submit([:], to: "/\(code)/publish", from: "/settings").status == 404)
            let published = try await browser.submit([:], to: "/\(code)/publish", from: "/\(code)")
            #expect(published.location == "/\(code)?done=published#tools")
            #expect(try await stranger.open("/\(code)").status == 200)
            let submission = try await pics.json("/v1/photos/\(photo["id"]?.string ?? "")")["submissions"]?[0]
            #expect(submission?["scheduled_at"] == .null)
        }
    }

    @Test func `drafts are their owner's alone, page and form`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.posted("mine", ["draft": "true"])["code"]?.string ?? ""
            try await pics.letIn("bob")
            var bob = try await pics.browser(of: "bob")
            #expect(try await bob.open("/\(code)/draft").status == 404)
            #expect(
                try await bob.submit(["version": "1", "caption": "b"], to: "/\(code)/draft", from: "/settings").status
                    == 404)
            var stranger = Browser(pics)
            #expect(try await stranger.open("/\(code)/draft").location?.hasPrefix("/login") == true)
            var browser = try await pics.browser()
            #expect(try await browser.post(["version": "1", "caption": "b"], to: "/\(code)/draft").status == 403)
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["caption"] == "mine")
        }
    }

    @Test func `a sensitive photo is covered here, and other sites get no picture of it`() async throws {
        try await withInProcessPics { pics in
            try await pics.change("UPDATE users SET has_gallery = true")
            let photo = try await pics.posted(
                "look", ["services": "none", "content_warning": "sp<i>ders", "language": "de"])
            let code = photo["code"]?.string ?? ""
            var stranger = Browser(pics)
            let page = try await stranger.open("/\(code)").text
            #expect(page.contains("<details class=\"cover\"><summary><bdi>sp&lt;i&gt;ders</bdi>"))
            #expect(page.contains("lang=\"de\" dir=\"auto\">look"))
            #expect(page.contains("loading=\"lazy\"") && !page.contains("og:image") && !page.contains("thumbnailUrl"))
            #expect(try await stranger.open("/u/admin").text.contains(#/class="h-entry r\d+ covered"/#))
            for path in ["feed.rss", "feed.atom", "feed.json"] {
                let feed = try await stranger.open("/u/admin/\(path)").text
                #expect(feed.contains(code) && !feed.contains("/m/\(code)"), "\(path)")
            }
            let embedding = try await stranger.open("/oembed?url=\(pics.base)/\(code)").text
            #expect(embedding.contains("\"type\":\"link\"") && !embedding.contains("/m/\(code)"))
        }
    }
}
