internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct WordPressSubmitterTests {
    private let wordpress = WordPressSubmitter(servers: .any)
    private static let password = "abcd EFGH ijkl MNOP qrst UVWX"

    private func entries(_ url: String, password: String = password) -> [String: String] {
        ["base_url": url, "username": "alice", "password": password]
    }

    private func account(at url: String, over transport: any Transport) async throws -> OpenedAccount {
        let account = try await wordpress.connect(entries(url), over: transport)
        return OpenedAccount.sample(account.credentials, account.settings)
    }

    @Test func `a password is entered with the spaces it is shown with, or without`() async throws {
        try await withFake(FakeWordPress()) { _, server, transport in
            for password in [Self.password, Self.password.replacing(" ", with: "")] {
                let account = try await wordpress.connect(entries(server.url, password: password), over: transport)
                #expect(account.name.hasPrefix("alice@"))
                #expect(account.settings["root"] == "/wp-json")
            }
            #expect(
                await meaning { try await wordpress.connect(entries(server.url, password: "wrong"), over: transport) }
                    == .unauthorized)
        }
    }

    @Test func `a site that takes no application passwords says so, and no password is sent there`() async throws {
        var options = FakeWordPress.Options()
        options.takesPasswords = false
        try await withFake(FakeWordPress(options)) { _, server, transport in
            do throws(SubmissionError) {
                _ = try await wordpress.connect(entries(server.url), over: transport)
                Issue.record("connected")
            } catch {
                #expect(error.problem.code == .authenticationUnsupported)
            }
        }
    }

    @Test(arguments: [nil, "<https://elsewhere.test/wp-json/>; rel=\"https://api.w.org/\""])
    func `a page that is no WordPress, or names another server's, is refused`(link: String?) async throws {
        let server = Recording(.response(200, fields: link.map { ["Link": $0] } ?? [:]))
        #expect(
            await meaning { try await wordpress.connect(entries("https://blog.test"), over: server) } == .rejected)
        #expect(server.sent.count == 1)
        #expect(server[0].fields["Authorization"] == nil)
    }

    @Test(arguments: [
        ("https://blog.test", "/wp-json", "https://blog.test/wp-json/"),
        ("https://blog.test/blog/wp-admin/", "/blog/?rest_route=", "https://blog.test/blog/?rest_route=/"),
    ])
    func `the interface is where the site says`(entered: String, root: String, link: String) async throws {
        let server = Recording(.response(200, fields: ["Link": "<\(link)>; rel=\"https://api.w.org/\""]))
        let site = try await WordPressSite.find(
            entered, policy: .any,
            over: ServiceClient(service: "WordPress", transport: server, now: { Date() }))
        #expect(site.root == root)
        #expect(
            site.path("/wp/v2/posts", ["slug": "a"]).hasSuffix(
                root.contains("?") ? "/wp/v2/posts&slug=a" : "/wp/v2/posts?slug=a"))
    }

    @Test func `what a caption says is text in the post, and links are links`() throws {
        let media = try #require(WordPressAPI.Media(["id": 5, "source_url": "https://blog.test/a.jpg"]))
        let text = "<b>Lake</b> & \"sea\"\n\n[gallery] https://x.test/?a=1&b=2"
        let content = WordPressContent.post([(media, "A \"lake\"")], isVideo: false, text: text)
        #expect(WordPressContent.title(of: text) == "&lt;b&gt;Lake&lt;/b&gt; &amp; &quot;sea&quot;")
        #expect(!content.contains("<b>") && !content.contains("[gallery]"))
        #expect(content.contains("alt=\"A &quot;lake&quot;\""))
        #expect(content.contains("<a href=\"https://x.test/?a=1&amp;b=2\">"))
        #expect(WordPressContent.media(in: content) == [5])
    }

    @Test(arguments: [
        "\u{0600}<script>\u{0600}<!-- /wp:group -->", "\u{0600}[gallery]", "\"\u{301} onerror=alert(1) x",
    ])
    func `a sign that joins its neighbour is escaped too`(text: String) throws {
        let media = try #require(WordPressAPI.Media(["id": 5, "source_url": "https://blog.test/a.jpg"]))
        let content = WordPressContent.post([(media, text)], isVideo: false, text: text)
        let scalars = content.unicodeScalars
        #expect(!scalars.contains("["))
        #expect(
            scalars.count { $0 == "<" }
                == WordPressContent.post([(media, "")], isVideo: false, text: "x").unicodeScalars.count { $0 == "<" })
        #expect(
            scalars.count { $0 == "\"" }
                == WordPressContent.post([(media, "")], isVideo: false, text: "x").unicodeScalars.count { $0 == "\"" })
    }

    @Test(arguments: [
        (
            "Photographing beautiful mountains approximately weekly again",
            "photographing-beautiful-mountains-approximately-yyfxyupw"
        ),
        ("Evening at the lake, with friends and more", "evening-at-the-lake-with-friends-yyfxyupw"),
        ("夕方の湖", "photo-yyfxyupw"),
        ("", "photo-yyfxyupw"),
    ])
    func `the address of a post has words of its title, and the photo's code`(text: String, slug: String) throws {
        #expect(WordPressContent.slug(of: text, code: try #require(ShortCode("yyFXyUPW"))) == slug)
    }

    @Test func `an edit changes what Pics has written, and nothing else of the post`() async throws {
        try await withScene(.wordpress) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            fake.append("<p>By hand</p>", to: receipt.remoteID)
            try await scene.edit(receipt, text: "Other words", altText: "Other lake")
            let content = try #require(fake.content(of: receipt.remoteID))
            #expect(content.contains("<p>Other words</p>") && content.hasSuffix("<p>By hand</p>"))
            #expect(content.contains("alt=\"Other lake\""))
            #expect(scene.publishedAltTexts == ["Other lake"])

            fake.replace(receipt.remoteID, with: "<p>All by hand</p>")
            #expect(await meaning { try await scene.edit(receipt, text: "Again", altText: "") } == .rejected)
            #expect(fake.content(of: receipt.remoteID) == "<p>All by hand</p>")
        }
    }

    @Test(arguments: [true, false])
    func `a post that is taken back leaves no file at an open address`(hasTrash: Bool) async throws {
        var subject = Subject.wordpress
        subject.fake = { clock in
            var options = FakeWordPress.Options()
            options.hasTrash = hasTrash
            return FakeWordPress(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            // A file that its owner has added to the post by hand stays.
            fake.append("<!-- wp:image {\"id\":\(fake.addFile())} -->", to: receipt.remoteID)
            #expect(fake.fileCount == 2)
            try await scene.delete(receipt)
            #expect(fake.fileCount == 1 && fake.effects.isEmpty)
            try await scene.delete(receipt)
        }
    }

    @Test func `a file whose smaller pictures could not be made is not sent twice`() async throws {
        var subject = Subject.wordpress
        subject.fake = { clock in
            var options = FakeWordPress.Options()
            options.failsSizes = true
            return FakeWordPress(options, now: clock.read)
        }
        try await withScene(subject) { scene in
            _ = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.fileCount == 1 && fake.effects.count == 1)
        }
    }

    @Test func `files of a private post are in no public list, and belong to it`() async throws {
        var subject = Subject.wordpress
        subject.settings = ["visibility": "private"]
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.statuses == ["private"] && fake.listedFiles.isEmpty)
            #expect(fake.parents == [receipt.remoteID])
        }
    }

    @Test func `an edit leaves the text of a picture that its owner has put above`() async throws {
        try await withScene(.wordpress) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            let file = fake.addFile()
            let own =
                "<!-- wp:image {\"id\":\(file)} --><img alt=\"Theirs\" class=\"wp-image-\(file)\"/><!-- /wp:image -->"
            fake.replace(receipt.remoteID, with: own + (fake.content(of: receipt.remoteID) ?? ""))
            try await scene.edit(receipt, text: "Other words", altText: "Other lake")
            #expect(fake.altText(ofFile: file) == "Theirs")
            #expect(fake.content(of: receipt.remoteID)?.contains("alt=\"Theirs\"") == true)
            #expect(fake.content(of: receipt.remoteID)?.contains("alt=\"Other lake\"") == true)
        }
    }

    @Test func `files whose deletion fails are deleted by the next try`() async throws {
        try await withScene(.wordpress) { scene in
            let receipt = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            scene.host?.fail("DELETE /wp-json/wp/v2/media/{id}", .status(500))
            await #expect(throws: SubmissionError.self) { try await scene.delete(receipt) }
            try await scene.delete(receipt)
            #expect(fake.fileCount == 0 && fake.effects.isEmpty)
        }
    }

    @Test(arguments: ["rest_cannot_edit", "rest_cannot_delete", "rest_forbidden_context"])
    func `what a user may not do with one post says nothing of the account`(code: String) async throws {
        try await withScene(.wordpress) { scene in
            let receipt = try await scene.submit()
            scene.host?.fail(
                "GET /wp-json/wp/v2/posts/{id}", .status(403, body: "{\"code\":\"\(code)\",\"data\":{\"status\":403}}"))
            #expect(await meaning { try await scene.edit(receipt, text: "Other", altText: "") } == .rejected)
        }
    }

    @Test(arguments: [("I'm there...", "I’m there…"), ("a -- b", "a – b"), ("\"x\"", "“x”")])
    func `an answer is known again as the site shows it`(typed: String, shown: String) {
        #expect(WordPressSubmitter.comparable(typed) == WordPressSubmitter.comparable(shown))
    }

    @Test func `an upload whose answer was lost is found in the library`() async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail("POST /wp-json/wp/v2/media", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .temporary)
            _ = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.fileCount == 1)
        }
    }

    @Test func `a draft whose answer was lost is published, and no second one is made`() async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail("POST /wp-json/wp/v2/posts", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .temporary)
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.statuses == ["draft"] && fake.effects.isEmpty)
            _ = try await scene.submit()
            #expect(fake.statuses == ["publish"])
        }
    }

    @Test func `a draft that its owner has deleted is made anew`() async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail("POST /wp-json/wp/v2/posts/{id}", .status(503))
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            #expect(try await scene.reconcile() == .repeatable)
            let fake = try #require(scene.host?.service as? FakeWordPress)
            fake.deletePosts()
            #expect(try await scene.reconcile() == .cannotTell)
        }
        try await withScene(.wordpress) { scene in
            scene.host?.fail(
                "POST /wp-json/wp/v2/posts/{id}", .status(404, body: "{\"code\":\"rest_post_invalid_id\"}"))
            #expect(await meaning { try await scene.submit() } == .temporary)
            let fake = try #require(scene.host?.service as? FakeWordPress)
            fake.deletePosts()
            _ = try await scene.submit()
            #expect(fake.statuses == ["publish"])
        }
    }

    @Test(arguments: ["POST /wp-json/wp/v2/posts", "POST /wp-json/wp/v2/posts/{id}"])
    func `a post that the site refuses leaves nothing there`(step: String) async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail(step, .status(400, body: "{\"code\":\"rest_invalid_param\"}"))
            #expect(await meaning { try await scene.submit() } == .rejected)
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.fileCount == 0 && fake.statuses.isEmpty)
        }
    }

    @Test func `a post without caption gets one by an edit`() async throws {
        try await withScene(.wordpress) { scene in
            let receipt = try await scene.submit("")
            try await scene.edit(receipt, text: "Now with words", altText: "")
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.effects.map(\.text) == ["Now with words"])
        }
    }

    @Test func `names of categories are text, and who may not make one is told where to`() async throws {
        var options = FakeWordPress.Options()
        options.makesCategories = false
        try await withFake(FakeWordPress()) { _, server, transport in
            let account = try await account(at: server.url, over: transport)
            _ = try await wordpress.createAlbum(named: "Cats & dogs", of: account, over: transport)
            #expect(try await wordpress.albums(of: account, over: transport).map(\.name).contains("Cats & dogs"))
        }
        try await withFake(FakeWordPress(options)) { _, server, transport in
            let account = try await account(at: server.url, over: transport)
            do throws(SubmissionError) {
                _ = try await wordpress.createAlbum(named: "Cats", of: account, over: transport)
                Issue.record("made")
            } catch {
                #expect(error.problem.code == .albumsMadeThere)
            }
        }
    }

    @Test func `a draft in the trash is not called published`() async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail("POST /wp-json/wp/v2/posts/{id}", .resetBefore)
            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            try #require(scene.host?.service as? FakeWordPress).trashPosts()
            #expect(try await scene.reconcile() == .cannotTell)
        }
    }

    @Test func `publishing says nothing that the draft says already`() async throws {
        try await withScene(.wordpress) { scene in
            _ = try await scene.submit()
            let sent = try #require(
                scene.host?.requests.last { $0.route == "POST /wp-json/wp/v2/posts/{id}" }?.request)
            #expect(try JSONValue(parsing: sent.body) == ["status": "publish"])
        }
        try await withScene(.wordpress) { scene in
            scene.host?.fail("POST /wp-json/wp/v2/posts/{id}", .status(503))
            #expect(await meaning { try await scene.submit("Before") } == .unknownOutcome)
            _ = try await scene.submit("After")
            #expect(try #require(scene.host?.service as? FakeWordPress).effects.map(\.text) == ["After"])
        }
    }

    @Test(arguments: [
        (401, "rest_forbidden_context", "{}"), (401, "rest_not_logged_in", "{}"),
        (
            400, "rest_invalid_param",
            "{\"details\":{\"status\":{\"code\":\"rest_forbidden_status\",\"data\":{\"status\":401}}}}"
        ),
    ])
    func `a password that was revoked holds the account`(status: Int, code: String, data: String) async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail(
                "POST /wp-json/wp/v2/posts", .status(status, body: "{\"code\":\"\(code)\",\"data\":\(data)}"))
            #expect(await meaning { try await scene.submit() } == .unauthorized)
        }
    }

    @Test(arguments: [
        (500, "rest_upload_unknown_error", "The uploaded file exceeds the upload_max_filesize directive in php.ini."),
        (400, "rest_upload_no_content_disposition", "No Content-Disposition supplied."),
    ])
    func `a file that PHP does not take is too large`(status: Int, code: String, message: String) async throws {
        try await withScene(.wordpress) { scene in
            scene.host?.fail(
                "POST /wp-json/wp/v2/media", .status(status, body: "{\"code\":\"\(code)\",\"message\":\"\(message)\"}"))
            do throws(SubmissionError) {
                _ = try await scene.submit()
                Issue.record("submitted")
            } catch {
                #expect(error.problem.code == .fileTooLarge)
            }
        }
    }

    @Test(arguments: [
        "<!-- wp:group {\"className\":\"pics-caption\"} -->\n<!-- /wp:group -->",
        "<!-- wp:group {\"className\":\"pics-caption\"} /-->",
    ])
    func `a caption that the editor has closed is written again`(closed: String) throws {
        let changed = try #require(WordPressContent.replacingCaption(in: "<p>a</p>\(closed)<p>b</p>", with: "Words"))
        #expect(changed.hasPrefix("<p>a</p>") && changed.hasSuffix("<p>b</p>") && changed.contains("<p>Words</p>"))
        let empty = try #require(WordPressContent.replacingCaption(in: changed, with: ""))
        #expect(empty.contains("<div class=\"wp-block-group pics-caption\"></div>") && !empty.contains("Words"))
    }

    @Test func `a file of another try is never taken for one whose answer was lost`() async throws {
        try await withScene(.wordpress) { scene in
            _ = try await scene.submit()
            scene.journal.forget()
            scene.host?.fail("POST /wp-json/wp/v2/media", .resetAfter)
            #expect(await meaning { try await scene.submit() } == .temporary)
            _ = try await scene.submit()
            let fake = try #require(scene.host?.service as? FakeWordPress)
            #expect(fake.fileCount == 2 && Set(fake.contents.flatMap(WordPressContent.media)).count == 2)
        }
    }
}
