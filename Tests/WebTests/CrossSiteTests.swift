import Foundation
import HTTP
import TestPics
import TestTools
import Testing

/// What pages of other sites can have a browser do that has signed in here. `Sec-Fetch-*` and `Origin` are what browsers send then.
@Suite(.timeLimit(.minutes(5)))
struct CrossSiteTests {
    private static let evil = "https://evil.example"

    /// What a page elsewhere has the browser load.
    private static func loads(_ destination: String, mode: String = "no-cors", site: String = "cross-site")
        -> HTTPFields
    {
        ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination]
    }

    @Test func `a page of another site loads no private picture, page or script with the session of its reader`()
        async throws
    {
        try await withInProcessPics { pics in
            let code = try #require(
                try await pics.posted("Mine", ["services": "none", "visibility": "private"])["code"]?.string)
            var browser = try await pics.browser()
            let picture = "/m/\(code)/small.jpg"
            let page = Self.loads("document", mode: "navigate", site: "same-origin")
            #expect(try await browser.open("/\(code)", with: page).status == 200)
            #expect(try await browser.open(picture, with: Self.loads("image", site: "same-origin")).status == 200)
            #expect(
                try await browser.open(picture, with: Self.loads("document", mode: "navigate", site: "none")).status
                    == 200)

            for site in ["cross-site", "same-site"] {
                for destination in ["image", "video", "script", "style", "iframe", "object", "embed", "empty"] {
                    let isFrame = ["iframe", "object", "embed"].contains(destination)
                    let fields = Self.loads(destination, mode: isFrame ? "navigate" : "no-cors", site: site)
                    #expect(try await browser.open(picture, with: fields).status == 404, "\(destination)")
                    #expect(try await browser.open("/\(code)", with: fields).status == 404, "\(destination)")
                    #expect(try await browser.open("/settings", with: fields).location?.hasPrefix("/login") == true)
                    #expect(try await !browser.open("/", with: fields).text.contains(code))
                }
            }
        }
    }

    /// The second is what a browser says of a link that our service worker passes on.
    @Test(arguments: ["document", "empty"])
    func `a link that leads here from elsewhere finds the session`(
        destination: String
    ) async throws {
        try await withInProcessPics { pics in
            let code = try #require(
                try await pics.posted("Mine", ["services": "none", "visibility": "private"])["code"]?.string)
            var browser = try await pics.browser()
            var stranger = Browser(pics)

            for site in ["cross-site", "same-site"] {
                let link = Self.loads(destination, mode: "navigate", site: site)
                #expect(try await browser.open("/\(code)", with: link).status == 200)
                #expect(try await browser.open("/", with: link).text.contains(code))
                #expect(try await browser.open("/settings", with: link).status == 200)
                #expect(try await stranger.open("/\(code)", with: link).status != 200)
                #expect(try await browser.post([:], to: "/logout", with: link).status == 403)
            }
        }
    }

    @Test func `a fetch of another site reads and changes nothing`() async throws {
        try await withInProcessPics { pics in
            let photo = try await pics.posted("Mine", ["services": "none", "visibility": "private"])
            let (id, code) = (photo["id"]?.string ?? "", photo["code"]?.string ?? "")
            var browser = try await pics.browser()
            var fields = Self.loads("empty", mode: "cors")
            fields.add("Origin", Self.evil)

            for path in [
                "/", "/\(code)", "/new", "/new/session", "/settings", "/settings/tokens", "/v1/photos", "/v1/me",
                "/status",
            ] {
                let answer = try await browser.open(path, with: fields)
                #expect(answer.fields["Access-Control-Allow-Origin"] == nil, "\(path)")
                #expect(!answer.text.contains("Mine") && !answer.text.contains("form_token"), "\(path)")
            }
            for path in [
                "/\(code)/delete", "/\(code)/edit", "/settings/tokens", "/settings/password", "/new", "/new/uploads",
                "/logout",
            ] {
                #expect(try await browser.post([:], to: path, with: fields).status != 200, "\(path)")
            }
            #expect(try await browser.patch("/v1/photos/\(id)", Array("{}".utf8), fields).status == 401)
            #expect(try await browser.isSignedIn())
            #expect(try await pics.json("/v1/photos/\(id)")["caption"] == "Mine")
        }
    }

    @Test func `no page of Pics is shown in a frame`() async throws {
        try await withInProcessPics { pics in
            let code = try #require(try await pics.posted("Seen by all")["code"]?.string)
            try await pics.change("UPDATE users SET has_gallery = true")
            var browser = try await pics.browser()
            var stranger = Browser(pics)
            let fixed = pics.routes.filter { $0.isPage && $0.method == .get && !$0.path.contains("{") }.map(\.path)
            #expect(fixed.count > 20)

            for path in fixed + [
                "/\(code)", "/\(code)/visits", "/\(code)/delete", "/u/admin", "/u/admin/days", "/status", "/nothing",
            ] {
                for page in [try await browser.open(path), try await stranger.open(path)]
                where page.fields["Content-Type"]?.hasPrefix("text/html") == true {
                    #expect(
                        page.fields["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true, "\(path)")
                }
            }
        }
    }

    @Test func `a WebSocket from another site is not opened, and gets nothing of a session`() async throws {
        try await withInProcessPics { pics in
            let code = try #require(
                try await pics.posted("Mine", ["services": "none", "visibility": "private"])["code"]?.string)
            var browser = try await pics.browser()
            var fields = Self.loads("websocket", mode: "websocket")
            fields.add("Origin", Self.evil)
            fields.add("Connection", "Upgrade")
            fields.add("Upgrade", "websocket")
            fields.add("Sec-WebSocket-Version", "13")
            fields.add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")

            for path in ["/", "/\(code)", "/new/session", "/v1/events", "/settings"] {
                let answer = try await browser.open(path, with: fields)

                #expect(answer.status != 101 && answer.fields["Sec-WebSocket-Accept"] == nil, "\(path)")
                #expect(!answer.text.contains(code) && !answer.text.contains("form_token"), "\(path)")
            }
        }
    }

    @Test func `under a foreign name that leads here nothing is served, to whoever has signed in`() async throws {
        let settings = ["PICS_BASE_URL": "https://pics.example", "PICS_HOSTS": "127.0.0.1"]
        try await withInProcessPics(settings: settings) { pics in
            let code = try #require(try await pics.posted("Mine")["code"]?.string)
            var browser = try await pics.browser()
            // As every name below `localhost`, it leads to this machine.
            let evil = pics.base.replacing("127.0.0.1", with: "evil.localhost")

            for path in [
                "/", "/\(code)", "/m/\(code)/small.jpg", "/new/session", "/settings", "/v1/photos", "/worker.js",
            ] {
                #expect(try await browser.open(evil + path).status == 421, "\(path)")
            }
            let form = try await browser.submit(
                ["time_zone": "Asia/Tokyo"], to: evil + "/settings/time-zone", from: "/settings")
            #expect(form.status == 421)
        }
    }

    @Test func `photos that another site posts to the share target are kept nowhere`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            var shared = MultipartForm()
            shared.add("text", "boats")
            shared.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg()))
            var fields = Self.loads("document", mode: "navigate")
            fields.add("Origin", Self.evil)

            let answer = try await browser.post(shared, to: "/share", with: fields)

            let login = "/login?next=%2Fnew%3Fshare%3Dagain"
            #expect(answer.status == 303 && answer.location == login)
            #expect(try await pics.json("/v1/photos")["items"] == [])
            // The browser says of what it is sent to that it came from elsewhere.
            let next = try await browser.open(login, with: Self.loads("document", mode: "navigate"))
            #expect(next.location == "/new?share=again")
            #expect(try await browser.isSignedIn())
        }
    }

    @Test func `no token comes into the log or an address, and one in an address opens nothing`() async throws {
        try await withInProcessPics(settings: ["PICS_ACCESS_LOG": "true"]) { pics in
            var browser = try await pics.browser()
            let invited = try await browser.submit(
                ["name": ""], to: "/settings/people/invite", from: "/settings/people")
            let link = try #require(invited.shown).replacing("&amp;", with: "&")
            let invitation = try #require(link.split(separator: "=").last.map(String.init))
            let made = try await browser.submit(
                ["name": "phone", "scope": "write"], to: "/settings/tokens", from: "/settings/tokens")
            let token = try #require(made.shown)
            let session = try #require(browser.cookies["pics_session"])
            var guest = Browser(pics)

            #expect(try await pics.ask(.get, "/v1/photos", token: token).status == .ok)
            for name in ["access_token", "token", "bearer", "key", "pics_session"] {
                for secret in [token, pics.token, session] {
                    #expect(try await guest.open("/v1/photos?\(name)=\(secret)").status == 401)
                    #expect(try await guest.open("/settings?\(name)=\(secret)").status == 303)
                }
            }
            let page = try await guest.open(link)
            let code = String(repeating: "c0de", count: 8)
            _ = try await guest.open("/auth/mastodon/callback?code=\(code)&state=\(code)")
            let formToken = try #require(page.formToken)

            #expect(page.status == 200 && page.fields["Referrer-Policy"] == "same-origin")
            #expect(invited.location == nil && made.location == nil)
            // The line of a request may follow its response.
            await until { pics.logged.contains("path=/auth/mastodon/callback") }
            let log = pics.logged
            #expect(
                log.contains("path=/v1/photos") && log.contains("path=/join")
                    && log.contains("path=/auth/mastodon/callback"))
            for secret in [token, pics.token, session, invitation, formToken, code, testPassword] {
                #expect(!log.contains(secret))
            }
        }
    }
}
