import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Webmentions from a site that the real transport reads, shown on the pages of photos.
@Suite(.timeLimit(.minutes(5)))
struct WebmentionTests {
    private func withSite(
        settings: [String: String] = [:], _ body: (InProcessPics, FakeSite, String) async throws -> Void
    ) async throws {
        let site = FakeSite()
        let server = try await FakeServer(FakeHost(site), on: try EventLoop(name: "fakes"))
        do {
            try await withInProcessPics(settings: settings) { pics in try await body(pics, site, server.url) }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func mention(_ pics: InProcessPics, _ source: String, _ target: String) async throws -> IncomingResponse {
        let form: FormFields = ["source": source, "target": target]
        return try await pics.send(
            OutgoingRequest(
                method: .post, url: "\(pics.base)/webmention",
                fields: ["Content-Type": "application/x-www-form-urlencoded"], body: .bytes(Array(form.encoded.utf8)),
                addressPolicy: .any))
    }

    private func reply(to target: String, _ words: String = "Lovely", by name: String = "Ann") -> String {
        """
        <div class="h-entry"><a class="u-in-reply-to" href="\(target)">photo</a>
        <span class="p-author h-card"><img src="/face" alt="\(name)"></span><p class="e-content">\(words)</p></div>
        """
    }

    private func photo(_ pics: InProcessPics) async throws -> String { try await pics.photo("A boat") }

    @Test func `a reply waits for the owner, is shown once they say so, and follows its page`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            let target = "\(pics.base)/\(code)"
            site.set("1", reply(to: target))
            site.set("face", FakeAnswer(.ok, fields: ["Content-Type": "image/jpeg"], body: CameraPhoto.jpeg()))
            var browser = try await pics.browser()
            func stranger() async throws -> IncomingResponse {
                try await pics.send(.get, "/\(code)", accept: "text/html", isAnonymous: true)
            }

            #expect(try await stranger().fields["Link"]?.contains("rel=\"webmention\"") == true)
            #expect(try await mention(pics, "\(url)/1", target).status == .accepted)
            #expect(try await pics.readWebmentions() == 1)
            #expect(try await !stranger().text.contains("Lovely"))
            #expect(try await browser.open("/\(code)").text.contains("1 response waits for you"))

            let waiting = try await browser.open("/activity/responses?state=pending")
            #expect(waiting.text.contains("Lovely"))
            let id = try #require(
                try await pics.json("/v1/responses?state=pending")["items"]?[0]?["id"]?.string)
            _ = try await browser.submit(
                ["shows": "yes", "author": "yes"], to: "/activity/responses/\(id)", from: "/activity/responses")
            // Numbers alone, until the owner wants more.
            let numbers = try await stranger().text
            #expect(numbers.contains("1 reply") && !numbers.contains("Lovely"))
            _ = try await browser.submit(
                ["show": "yes", "webmentions": "yes"], to: "/activity/responses", from: "/activity/responses")
            let page = try await shown(pics, code)
            #expect(page.contains("u-comment h-cite") && page.contains("Lovely"))

            #expect(try await pics.readAuthorPictures() == 1)
            let face = try #require(
                try await shown(pics, code).firstMatch(of: #/\/authors\/[0-9a-f-]{36}\/picture\?v=[0-9a-f]{16}/#))
            let picture = try await pics.send(.get, String(face.output), isAnonymous: true)
            #expect(picture.fields["Content-Type"] == "image/webp")

            // Edited there, edited here; a second one by the same author needs nobody.
            site.set("1", reply(to: target, "Lovelier"))
            site.set("2", reply(to: target, "And again"))
            for page in ["1", "2"] { _ = try await mention(pics, "\(url)/\(page)", target) }
            _ = try await pics.readWebmentions()
            _ = try await pics.readWebmentions()
            let edited = try await shown(pics, code)
            #expect(edited.contains("Lovelier") && !edited.contains("Lovely<") && edited.contains("2 replies"))

            // Deleted there, gone here; a page that does not answer is proof of nothing.
            site.set("1", FakeAnswer(HTTPStatus(code: 410)))
            site.set("2", FakeAnswer(HTTPStatus(code: 500)))
            for page in ["1", "2"] { _ = try await mention(pics, "\(url)/\(page)", target) }
            _ = try await pics.readWebmentions()
            _ = try await pics.readWebmentions()
            let left = try await shown(pics, code)
            #expect(!left.contains("Lovelier") && left.contains("And again") && left.contains("1 reply"))
        }
    }

    /// The page of strangers, made anew.
    private func shown(_ pics: InProcessPics, _ code: String) async throws -> String {
        var browser = try await pics.browser()
        return try await browser.open("/\(code)").text
    }

    @Test func `an author who is hidden stays so, and nobody's words are markup`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            let target = "\(pics.base)/\(code)"
            try await pics.change("UPDATE users SET shows_responses = true")
            site.set("1", reply(to: target, "&lt;script&gt;alert(1)&lt;/script&gt; \u{202E}evil", by: "&lt;b&gt;Eve"))
            _ = try await mention(pics, "\(url)/1", target)
            _ = try await pics.readWebmentions()
            let id = try #require(try await pics.json("/v1/responses")["items"]?[0]?["id"]?.string)
            _ = try await pics.ask(
                .patch, "/v1/responses/\(id)", json: ["state": "shown"])
            let page = try await shown(pics, code)
            #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert(1)"))
            #expect(page.contains("&lt;b&gt;Eve") && !page.contains("\u{202E}"))

            let hidden = try await pics.ask(
                .patch, "/v1/responses/\(id)", json: ["state": "hidden", "of_author": true])
            #expect(hidden.status == .ok)
            site.set("2", reply(to: target, "Once more", by: "&lt;b&gt;Eve"))
            _ = try await mention(pics, "\(url)/2", target)
            _ = try await pics.readWebmentions()
            #expect(try await pics.json("/v1/responses?state=hidden")["items"]?.array?.count == 2)
            #expect(try await !shown(pics, code).contains("h-cite"))
        }
    }

    @Test func `a photo of one's own alone takes none, and neither does an owner who wants none`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            let target = "\(pics.base)/\(code)"
            site.set("1", reply(to: target))
            try await pics.change("UPDATE photos SET visibility = 'private'")
            #expect(try await mention(pics, "\(url)/1", target).status == .badRequest)
            try await pics.change("UPDATE photos SET visibility = 'public'")
            try await pics.change("UPDATE users SET takes_webmentions = false")
            #expect(try await mention(pics, "\(url)/1", target).status == .badRequest)
            #expect(try await pics.send(.get, "/\(code)", accept: "text/html", isAnonymous: true).fields["Link"] == nil)
        }
    }

    @Test func `nobody removes or multiplies a response by another address of its photo or page`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            let target = "\(pics.base)/\(code)"
            site.set("1", reply(to: target).replacing("<p class", with: "<a class=\"u-url\" href=\"/1\"></a><p class"))
            for (source, target) in [
                ("\(url)/1", target), ("\(url)/1", "\(target)?x"), ("\(url)/1?a", "\(target)#y"),
                ("\(url)/1?b", target),
            ] {
                #expect(try await mention(pics, source, target).status == .accepted)
                _ = try await pics.readWebmentions()
            }
            #expect(try await pics.json("/v1/responses")["items"]?.array?.map { $0["text"] } == ["Lovely"])
        }
    }

    @Test func `redirects are followed, each within the rules, and not for ever`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            let target = "\(pics.base)/\(code)"
            site.set("end", reply(to: target))
            site.set("1", FakeAnswer(.found, fields: ["Location": "/end"]))
            site.set("2", FakeAnswer(.found, fields: ["Location": "/2"]))
            site.set("3", FakeAnswer(.found, fields: ["Location": "file:///etc/passwd"]))
            for page in ["1", "2", "3"] {
                _ = try await mention(pics, "\(url)/\(page)", target)
                _ = try await pics.readWebmentions()
            }
            #expect(try await pics.json("/v1/responses")["items"]?.array?.count == 1)
            #expect(
                try await pics.change(
                    "UPDATE webmentions SET problem = problem WHERE problem IS NOT NULL AND due_at IS NULL") == 2)
        }
    }

    @Test func `so many mentions of a site wait at a time, and an address sends so many a minute`() async throws {
        try await withSite(settings: ["PICS_WEBMENTION_RATE": "51"]) { pics, _, url in
            let target = "\(pics.base)/\(try await photo(pics))"
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count < 500 {
                statuses.append(try await mention(pics, "\(url)/\(statuses.count)", target).status.code)
            }
            #expect(statuses.prefix(50).allSatisfy { $0 == 202 } && statuses[50] == 503 && statuses.last == 429)
        }
    }

    @Test func `only a user's own responses are listed and decided on`() async throws {
        try await withSite { pics, site, url in
            let code = try await photo(pics)
            site.set("1", reply(to: "\(pics.base)/\(code)"))
            _ = try await mention(pics, "\(url)/1", "\(pics.base)/\(code)")
            _ = try await pics.readWebmentions()
            let item = try #require(try await pics.json("/v1/responses")["items"]?[0])
            let (id, photo) = (item["id"]?.string ?? "", item["photo"]?.string ?? "")
            #expect(try await pics.json("/v1/photos/\(photo)/responses?kind=comment")["items"]?.array?.count == 1)
            #expect(try await pics.json("/v1/photos/\(photo)/responses?kind=like")["items"]?.array?.isEmpty == true)
            let bob = try await pics.addUser("bob")
            #expect(try await JSONValue(parsing: pics.ask(.get, "/v1/responses", token: bob).body)["items"] == [])
            #expect(try await pics.ask(.get, "/v1/photos/\(photo)/responses", token: bob).status == .notFound)
            let refused = try await pics.ask(
                .patch, "/v1/responses/\(id)", json: ["state": "hidden"], token: bob)
            #expect(refused.status == .notFound)
        }
    }

    // MARK: Sending

    @Test func `pages that a caption links to are told, once a change, and by their own endpoints`() async throws {
        try await withSite { pics, site, url in
            site.set(
                "field",
                FakeAnswer(.ok, fields: ["Link": "</hook?a=1>; rel=\"webmention\"", "Content-Type": "text/html"]))
            site.set("page", "<p>Hi</p><a rel='x webmention' href='hook2'>mention</a><link rel=webmention href=/wrong>")
            site.set("none", "<p>Hi</p>")
            site.set("gone", FakeAnswer(HTTPStatus(code: 410)))
            for hook in ["hook", "hook2"] { site.take(hook) }
            let caption = "See \(url)/field, \(url)/page#part \(url)/none \(url)/gone and \(pics.base)/own"
            let code = try await pics.photo(caption)
            #expect(try await pics.sendWebmentions() == 1)
            #expect(try await pics.sendWebmentions() == 0)

            let source = "\(pics.base)/\(code)"
            func told() -> Set<String> {
                Set(site.taken.map { "\($0.path)?\($0.query) \($0.form["source"] ?? "") \($0.form["target"] ?? "")" })
            }
            #expect(told() == ["/hook?a=1 \(source) \(url)/field", "/hook2? \(source) \(url)/page"])

            // A caption that links to it no more, and a photo that is nobody else's business, are told too.
            let photo = try await pics.json("/v1/photos")["items"]?[0]?["id"]?.string ?? ""
            func edit(_ json: String) async throws {
                let made = try await pics.ask(
                    .patch, "/v1/photos/\(photo)", ["If-Match": "*", "Content-Type": "application/merge-patch+json"],
                    Array(json.utf8))
                #expect(made.status == .ok)
            }
            try await edit(#"{"caption":"See \#(url)/page"}"#)
            #expect(try await pics.sendWebmentions() == 1)
            #expect(site.taken.count == 4)
            try await edit(#"{"visibility":"private"}"#)
            #expect(try await pics.sendWebmentions() == 1)
            #expect(site.taken.last?.form["target"] == "\(url)/page")
            #expect(site.taken.count == 5)
            try await edit(#"{"caption":"Secret: \#(url)/field"}"#)
            _ = try await pics.sendWebmentions()
            #expect(site.taken.count == 5, "nothing of a private photo is told")
        }
    }

    @Test func `nothing is told for an owner who does not want it, and what fails is tried later`() async throws {
        try await withSite { pics, site, url in
            site.set("page", "<link rel=webmention href=/hook>")
            site.set("other", "<link rel=webmention href=/other-hook>")
            site.set("hook", FakeAnswer(HTTPStatus(code: 503)))
            site.take("other-hook")
            let code = try await pics.photo("See \(url)/page \(url)/other \(url)/none")
            #expect(try await pics.sendWebmentions() == 1)
            site.take("hook")
            #expect(try await pics.sendWebmentions() == 1)
            // What was told stays told, and a page that is not there is no trouble.
            #expect(site.taken.map { $0.form["target"] } == ["\(url)/other", "\(url)/page"])
            #expect(Set(site.taken.map { $0.form["source"] }) == ["\(pics.base)/\(code)"])
            #expect(try await pics.sendWebmentions() == 0)

            try await pics.change("UPDATE users SET sends_webmentions = false")
            _ = try await pics.photo("Again \(url)/page")
            _ = try await pics.sendWebmentions()
            #expect(site.taken.count == 2)
        }
    }

    @Test(arguments: ["http://10.0.0.1/page", "http://[::1]:25/page", "http://localhost:25/", "gopher://example.org/"])
    func `no caption makes Pics ask a server of its own network`(link: String) async throws {
        try await withSite(settings: ["PICS_PRIVATE_SERVERS": "false"]) { pics, site, url in
            _ = try await pics.photo("See \(link) and \(url)/page")
            _ = try await pics.sendWebmentions()
            #expect(site.taken.isEmpty)
        }
    }
}
