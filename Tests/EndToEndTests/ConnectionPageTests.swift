import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// Accounts as a person connects, changes and disconnects them in a browser without scripts.
struct ConnectionPageTests {
    @Test(.timeLimit(.minutes(10)))
    func `a form that is refused marks the fields that are wrong, and keeps what is no secret`() async throws {
        let loop = try EventLoop(name: "fakes")
        let immich = try await FakeServer(FakeHost(FakeImmich()), on: loop)
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let path = "/settings/connections/connect/immich"
            func wrong(_ url: String, _ key: String) async throws -> [String] {
                let page = try await browser.submit(
                    ["base_url": url, "api_key": key] as FormFields, to: path, from: path)
                #expect(page.status == 422)
                #expect(page.text.contains("value=\"\(url)\"") && (key.isEmpty || !page.text.contains(key)))
                return page.text.matches(of: #/<input name="([a-z_]+)"[^>]* aria-invalid="true"/#).map { String($0.1) }
            }

            #expect(try await wrong(immich.url, "another-key") == ["api_key"])
            #expect(try await wrong(immich.url, "") == ["api_key"])
            #expect(try await wrong("not an address", FakeImmich.key) == ["base_url"])
            #expect(try await wrong("http://127.0.0.1:1", FakeImmich.key) == ["base_url"])
        }
        await immich.stop()
        loop.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `from a fresh start somebody connects two services, posts into albums and disconnects`() async throws {
        let loop = try EventLoop(name: "fakes")
        let (flickr, dropbox) = (FakeFlickr(), FakeDropbox())
        let flickrServer = try await FakeServer(FakeHost(flickr), on: loop)
        let dropboxServer = try await FakeServer(FakeHost(dropbox), on: loop)
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            // OAuth 1.0a: keys first, which are never shown again.
            let missing = try await browser.open("/settings/connections/connect/flickr")
            #expect(missing.text.contains("API key of your app at flickr.com/services/apps"))
            let keys = try await browser.submit(
                [
                    "consumer_key": "consumer-key", "consumer_secret": "consumer-secret",
                    "base_url": flickrServer.url,
                ] as FormFields, to: "/settings/keys/flickr", from: "/settings/keys/flickr")
            #expect(keys.location == "/settings/keys?done=kept")
            let entered = try await browser.open("/settings/keys/flickr")
            #expect(!entered.text.contains("consumer-key") && !entered.text.contains("consumer-secret"))
            let photos = try await browser.connect("flickr")
            let lakes = try #require(
                try await browser.open("\(photos)/albums").text.firstMatch(
                    of: #/value="([^"]+)" required> <span dir="auto">Lakes/#)?.1)
            let chosen = try await browser.submit(
                ["album": String(lakes)], to: "\(photos)/albums", from: "\(photos)/albums")
            #expect(chosen.location == "\(photos)?done=album")
            #expect(try await browser.open(photos).text.contains("Album: <strong dir=\"auto\">Lakes</strong>"))

            // OAuth 2.
            _ = try await browser.submit(
                ["client_id": "client-id", "client_secret": "client-secret", "base_url": dropboxServer.url],
                to: "/settings/keys/dropbox", from: "/settings/keys/dropbox")
            let files = try await browser.connect("dropbox")
            let made = try await browser.submit(
                ["name": "Harbour <3"], to: "\(files)/albums/new", from: "\(files)/albums")
            #expect(made.location == "\(files)?done=album")
            #expect(try await browser.open(files).text.contains("Harbour &lt;3"))

            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "words").body)
            let ended = try await pics.ended(photo["id"]?.string ?? "")
            #expect(ended.map { $0["state"] } == ["done", "done", "done"])
            #expect(flickr.albums["Lakes"]?.count == 2 && flickr.publicPhotos == 1)
            #expect(dropbox.paths.allSatisfy { $0.hasPrefix("/Harbour <3/") } && dropbox.paths.count == 1)

            // The way back asks first.
            let asked = try await browser.open("\(files)/disconnect")
            #expect(asked.text.contains("Published posts stay"))
            #expect(!dropboxServer.host.requests.contains { $0.route == "POST /2/auth/token/revoke" })
            let gone = try await browser.submit([:], to: "\(files)/disconnect", from: "\(files)/disconnect")
            #expect(gone.location == "/settings/connections?done=disconnected-and-revoked")
            #expect(dropboxServer.host.requests.last?.route == "POST /2/auth/token/revoke")
            #expect(try await browser.open(files).status == 404)
            #expect(!pics.process.logged.contains("consumer-secret"))
        }
        await flickrServer.stop()
        await dropboxServer.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `an account that was connected in the browser gets its profile picture by itself`() async throws {
        var options = FakeMastodon.Options()
        options.avatar = FakeAnswer(.ok, fields: ["Content-Type": "image/jpeg"], body: CameraPhoto.jpeg())
        let server = try await FakeServer(FakeHost(FakeMastodon(options)), on: try EventLoop(name: "fakes"))
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let account = try await browser.connect("mastodon", ["base_url": server.url])

            try await until { try await browser.open("/new").text.contains("src=\"\(account)/picture?v=") }
            #expect(try await browser.open("\(account)/picture").fields["Content-Type"] == "image/webp")
        }
        await server.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `what is wrong is said on the page, with what was typed and without secrets`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let path = "/settings/connections/connect/mastodon"

            let refused = try await browser.submit(
                ["base_url": services.mastodon.url, "access_token": "wrong-secret"], to: path, from: path)
            let unreachable = try await browser.submit(
                ["base_url": "http://127.0.0.1:1/\"><b>"], to: "\(path)/browser", from: path)
            let empty = try await browser.submit([:], to: path, from: path)

            for page in [refused, unreachable, empty] { #expect(page.status == 422) }
            #expect(
                refused.text.contains("value=\"\(services.mastodon.url)\"") && refused.text.contains("<details open>"))
            #expect(!refused.text.contains("wrong-secret") && !pics.process.logged.contains("wrong-secret"))
            #expect(unreachable.text.contains("value=\"http://127.0.0.1:1/&quot;&gt;&lt;b&gt;\""))
            #expect(empty.text.contains("It is needed: "))
            #expect(try await browser.open("/settings/connections/connect/nonsense").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `choices are kept if the service offers them, and change what waits`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let id = try await pics.connectMastodon(services.mastodon)
            let path = "/settings/connections/\(id)"
            #expect(try await browser.submit([:], to: "\(path)/pause", from: path).location == "\(path)?done=paused")
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "words").body)

            let wrong = try await browser.submit(
                ["enabled": "yes", "caption": "yes", "caption_template": "no <caption>"], to: path, from: path)
            let kept = try await browser.submit(
                [
                    "enabled": "yes", "caption": "yes", "caption_template": "Now: {caption}", "quality": "small",
                    "auto_enhance": "yes", "visibility": "private", "album": "x",
                ], to: path, from: path)

            #expect(wrong.status == 422 && wrong.text.contains("value=\"no &lt;caption&gt;\""))
            #expect(kept.location == "\(path)?done=kept")
            let page = try await browser.open(path).text
            #expect(page.contains("paused") && page.contains("value=\"Now: {caption}\""))
            #expect(page.contains("<option value=\"small\" selected>"))
            #expect(page.contains("<option value=\"private\" selected>followers only<"))
            #expect(!page.contains("name=\"share\""))
            let settings = try await pics.json("/v1/connections/\(id)")["settings"]
            #expect(settings?["auto_enhance"] == true && settings?["keep_position"] == false)
            #expect(settings?["visibility"] == "private" && settings?["album"]?.isNull ?? true)
            #expect(try await browser.submit([:], to: "\(path)/resume", from: path).status == 303)
            #expect(try await pics.ended(photo["id"]?.string ?? "").allSatisfy { $0["state"] == "done" })
            #expect(services.mastodon.host.service.effects.map(\.text) == ["Now: words"])
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a connection is ended only by the browser that began it, while it is signed in`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            var mallory = try await pics.browser(of: "alice")
            var victim = try await pics.browser(of: "admin")
            var stranger = Browser(pics)

            for other in ["victim", "stranger", "itself, signed out"] {
                let callback = try await mallory.begin("mastodon", ["base_url": services.mastodon.url])
                let page: Browser.Page
                switch other {
                case "victim": page = try await victim.open(callback)
                case "stranger": page = try await stranger.open(callback)
                default:
                    _ = try await mallory.submit([:], to: "/logout", from: "/settings")
                    page = try await mallory.open(callback)
                }
                #expect(page.status == 400 && page.text.contains("in another browser"), "\(other)")
                #expect(page.fields["Referrer-Policy"] == "no-referrer")
            }

            #expect(!services.mastodon.host.requests.contains { $0.route == "POST /oauth/token" })
            #expect(try await !victim.open("/settings/connections").text.contains("alice@"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `who does not agree comes back to the page of the service, with the reason`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let callback = try await browser.begin("mastodon", ["base_url": services.mastodon.url])
            let state = try #require(FormFields(String(callback.split(separator: "?")[1]))?["state"])

            let back = try await browser.open("/auth/mastodon/callback?error=access_denied&state=\(state)")

            let location = try #require(back.location)
            #expect(back.status == 303 && location.hasPrefix("/settings/connections/connect/mastodon?begun="))
            #expect(try await browser.open(location).text.contains("Pics was not allowed to use the account."))
            #expect(try await browser.open(callback).status == 400)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `nobody reaches accounts of others or keys without being an admin`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            try await pics.letIn("alice")
            let id = try await pics.connectMastodon(services.mastodon)
            var alice = try await pics.browser(of: "alice")
            let path = "/settings/connections/\(id)"

            for page in [path, "\(path)/disconnect", "\(path)/albums", "/settings/connections/1"] {
                #expect(try await alice.open(page).status == 404, "\(page)")
            }
            for form in [path, "\(path)/pause", "\(path)/disconnect", "\(path)/albums", "\(path)/albums/new"] {
                #expect(try await alice.submit([:], to: form, from: "/settings").status == 404, "\(form)")
            }
            for form in ["/settings/keys/flickr", "/settings/keys/flickr/forget"] {
                #expect(try await alice.submit([:], to: form, from: "/settings").status == 403, "\(form)")
            }
            #expect(try await alice.open("/settings/keys").status == 403)
            let forged = try await alice.post(["form_token": "AAAA"], to: "/settings/connections/connect/file")
            #expect(forged.status == 403)
            #expect(try await pics.call(.get, "/v1/connections/\(id)").json["state"] == "ok")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `accounts are listed with their service, and what is connected is offered last`() async throws {
        try await withPics { pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")

            let list = try await browser.open("/settings/connections").text
            let path = try #require(list.firstMatch(of: #/"(/settings/connections/[0-9a-f-]{36})"/#)).1
            let account = try await browser.open(String(path)).text
            // One that has ended is offered where an admin wants it.
            #expect(try await browser.open("/settings/connections/connect/minus").status == 404)
            try await pics.change("INSERT INTO service_choices VALUES ('minus', true)")
            let minus = try await browser.open("/settings/connections/connect/minus").text

            #expect(list.contains(">File · <bdi>archive</bdi></a>"))
            let parts = list.split(separator: "<h2>")
            let offer = "aria-label=\"Connect File\""
            #expect(parts.filter { $0.contains(offer) }.map { $0.hasPrefix("Connect another account<") } == [true])
            #expect(account.contains("Like Mastodon: 500 characters") && !account.contains("value=\"utf8\""))
            for field in ["base_url", "username", "password"] {
                let required = try Regex("name=\"\(field)\"[^>]* required")
                #expect(minus.contains(required), "\(field)")
            }
            #expect(minus.split(separator: "<small>Optional</small>").count == 3)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `an account that the service lets in no more says so and is connected again`() async throws {
        try await withServices { services, pics in
            try await pics.letIn("admin")
            var browser = try await pics.browser(of: "admin")
            let id = try await pics.connectMastodon(services.mastodon)
            try await pics.change(
                "UPDATE connections SET state = 'needs_login', problem = 'The token ended.' WHERE id = '\(id)'")

            let list = try await browser.open("/settings/connections").text
            let page = try await browser.open("/settings/connections/\(id)").text

            #expect(list.contains("needs a new login") && list.contains(">Reconnect</a>"))
            #expect(page.contains("The token ended."))
            let form = try await browser.open("/settings/connections/connect/mastodon?account=\(id)").text
            #expect(form.contains("value=\"\(services.mastodon.url)\""))
            let again = try await browser.submit(
                ["base_url": services.mastodon.url, "access_token": "mastodon-token"],
                to: "/settings/connections/connect/mastodon", from: "/settings/connections/connect/mastodon")
            #expect(again.location == "/settings/connections/\(id)?done=connected")
            #expect(try await !browser.open("/settings/connections").text.contains("needs a new login"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `what arrives at a service is as small as its account's quality says`() async throws {
        try await withServices { services, pics in
            let id = try await pics.connectMastodon(services.mastodon)
            let original = try await pics.picture("1600x800")
            #expect(JPEGSize(original) == JPEGSize(width: 1600, height: 800))
            let chosen = try await pics.call(
                .patch, "/v1/connections/\(id)", ["quality": "small", "auto_enhance": true])
            #expect(chosen.status == 200)

            let photo = try JSONValue(parsing: try await pics.post(original, caption: "words").body)

            #expect(try await pics.ended(photo["id"]?.string ?? "").allSatisfy { $0["state"] == "done" })
            let upload = try #require(
                services.mastodon.host.requests.first { $0.route.hasSuffix("/media") && $0.request.method == .post })
            #expect(JPEGSize(upload.request.body) == JPEGSize(width: 960, height: 480))
            for wrong in [["quality": "tiny"], ["quality": 80], ["auto_enhance": "yes"]] as [JSONValue] {
                #expect(try await pics.call(.patch, "/v1/connections/\(id)", wrong).status == 400)
            }
        }
    }
}

/// The facts of the first frame header of a JPEG within some bytes.
private struct JPEGSize: Equatable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(_ bytes: [UInt8]) {
        guard
            var place = (0..<max(0, bytes.count - 3)).first(where: {
                bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
            })
        else { return nil }
        place += 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            let number = { (at: Int) in Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
            if [0xC0, 0xC1, 0xC2].contains(bytes[place + 1]) {
                self.init(width: number(place + 7), height: number(place + 5))
                return
            }
            place += 2 + number(place + 2)
        }
        return nil
    }
}

extension Browser {
    /// Begins to connect an account, and agrees at the service; the address that it is sent back to.
    mutating func begin(_ service: String, _ entered: FormFields = [:]) async throws -> String {
        let path = "/settings/connections/connect/\(service)"
        let page = try await submit(entered, to: "\(path)/browser", from: path)
        #expect(page.status == 200 && page.location == nil, "\(page.text)")
        let link = try #require(page.text.firstMatch(of: #/class="button" href="([^"]+)" rel="noreferrer"/#)?.1)
        let consent = try await open(String(link).replacing("&amp;", with: "&"))
        return try #require(consent.location)
    }

    /// Connects an account in the browser; the path of its page.
    mutating func connect(_ service: String, _ entered: FormFields = [:]) async throws -> String {
        // What a browser says of a way back that leads through the service worker.
        let across: HTTPFields = [
            "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "empty",
        ]
        let back = try await open(try await begin(service, entered), with: across)
        #expect(back.status == 303 && back.fields["Referrer-Policy"] == "no-referrer")
        let path = try #require(back.location?.split(separator: "?").first.map(String.init))
        #expect(try await open(path, with: across).text.contains("connected"))
        return path
    }
}

extension Pics {
    /// A JPEG of ffmpeg's.
    fileprivate func picture(_ size: String) async throws -> [UInt8] {
        let path = "\(folder)/\(size).jpg"
        let ffmpeg = Process()
        ffmpeg.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        ffmpeg.arguments = [
            "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=\(size)", "-frames:v", "1", "-y", path,
        ]
        try ffmpeg.run()
        ffmpeg.waitUntilExit()
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}
