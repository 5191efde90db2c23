import Foundation
import HTTP
import TestPics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(5)))
struct AppFileTests {
    @Test func `the manifest names pictures that are there, in the sizes that it says`() async throws {
        try await withInProcessPics { pics in
            var browser = Browser(pics)
            let manifest = try await browser.open("/manifest.webmanifest")
            #expect(manifest.fields["Content-Type"] == "application/manifest+json")
            let json = try JSONValue(parsing: Array(manifest.text.utf8))
            #expect(json["start_url"] == "/" && json["display"] == "standalone")
            let icons = try #require(json["icons"]?.array)
            #expect(Set(icons.compactMap { $0["purpose"]?.string }) == ["any", "maskable"])
            for icon in icons {
                let path = try #require(icon["src"]?.string)
                let file = try #require(StaticFile.at(path))
                // Width and height stand behind the signature and the head of the first chunk (PNG, section 11.2.1).
                let side = file.bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
                #expect(icon["sizes"]?.string == "\(side)x\(side)", "\(path)")
                #expect(file.bytes[20..<24].elementsEqual(file.bytes[16..<20]), "\(path)")
            }
        }
    }

    @Test func `the worker keeps files that are there, and nothing of a person`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let worker = try await browser.open("/worker.js")
            #expect(worker.fields["Cache-Control"] == "no-cache")
            #expect(worker.fields["Content-Type"] == "text/javascript; charset=utf-8")
            let shell = try #require(worker.text.firstMatch(of: #/const shell = (\[[^;]+\]);/#)).1
            let paths = try JSONValue(parsing: Array(shell.utf8)).array?.compactMap(\.string) ?? []
            #expect(paths.count == StaticFile.shell.count)
            for path in paths { #expect(try await browser.open(path).status == 200, "\(path)") }
            let offline = try await browser.open("/offline")
            #expect(offline.status == 200 && !offline.text.contains("class=\"bar\"") && !offline.text.contains("admin"))
            #expect(!offline.text.contains("form_token") && offline.text.contains("name=\"photo\""))
            #expect(offline.fields["Content-Security-Policy"]?.contains("img-src 'self' blob:") == true)
        }
    }

    @Test func `what another app shares without a worker is not kept, and the page says so`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            var shared = MultipartForm()
            shared.add("text", "boats")
            shared.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg()))

            let answer = try await browser.post(shared, to: "/share", with: ["Sec-Fetch-Site": "none"])

            #expect(answer.status == 303 && answer.location == "/new?share=again")
            #expect(try await browser.open("/new?share=again").text.contains("Share them again"))
            #expect(try await browser.post(shared, to: "/share", with: ["Sec-Fetch-Site": "cross-site"]).status == 303)
            #expect(try await pics.json("/v1/photos")["items"] == [])
            var stranger = Browser(pics)
            #expect(try await stranger.post(shared, to: "/share").location == "/login?next=%2Fnew%3Fshare%3Dagain")
            let manifest = try JSONValue(parsing: Array(try await stranger.open("/manifest.webmanifest").text.utf8))
            let target = try #require(manifest["share_target"])
            #expect(target["action"] == "/share" && target["method"] == "POST")
            #expect(target["enctype"] == "multipart/form-data" && target["params"]?["files"]?[0]?["name"] == "photo")
        }
    }

    @Test func `what nobody owns has a list of its own, on every page with an outbox`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            for path in ["/", "/new", "/offline"] {
                let page = try await browser.open(path).text
                // Empty and hidden, where no script fills it.
                #expect(page.contains("<section class=\"outbox\" data-unowned hidden>"), "\(path)")
                #expect(page.contains("Written on this device while nobody was signed in"), "\(path)")
                #expect(page.contains("<a data-claim>Post as <bdi data-owner></bdi></a>"), "\(path)")
                let japanese = try await browser.open(path, with: ["Accept-Language": "ja"]).text
                #expect(japanese.contains("ログインしていないときにこの端末で作成した投稿"), "\(path)")
                #expect(japanese.contains("<bdi data-owner></bdi>として投稿"), "\(path)")
            }
        }
    }

    @Test func `the outbox learns who is signed in, from a page of ours alone`() async throws {
        try await withInProcessPics { pics in
            var browser = try await pics.browser()
            let session = try await browser.open("/new/session")
            let json = try JSONValue(parsing: Array(session.text.utf8))
            #expect(json["user"] == "admin" && session.fields["Cache-Control"] == "no-store")
            #expect(session.fields["Access-Control-Allow-Origin"] == nil)
            var stranger = Browser(pics)
            #expect(try await stranger.open("/new/session").status == 401)
            for site in ["cross-site", "same-site", "none"] {
                #expect(try await browser.open("/new/session", with: ["Sec-Fetch-Site": site]).status == 403, "\(site)")
            }

            var form = MultipartForm()
            form.add("form_token", json["form_token"]?.string ?? "")
            form.add("key", UUID().uuidString)
            form.add("caption", "kept")
            form.add("photo", filename: "a.jpg", mediaType: .octetStream, .bytes(CameraPhoto.jpeg()))
            let accept: HTTPFields = ["Accept": "application/json"]
            let posted = try await browser.post(form, to: "/new", with: accept)
            #expect(posted.status == 200 && posted.text.contains("?done=posted#tools"))
            #expect(try await browser.post(form, to: "/new", with: accept).text == posted.text)
            #expect(try await pics.json("/v1/photos")["items"]?.array?.count == 1)
            // It goes to every account, since it names none.
            #expect(try await pics.json("/v1/photos")["items"]?[0]?["submissions"]?.array?.count == 1)
            #expect(try await stranger.post(form, to: "/new", with: accept).status == 401)
            form.add("scheduled_at", "soon")
            let refused = try await browser.post(form, to: "/new", with: accept)
            #expect(refused.status == 422 && refused.text.contains("problem"))
        }
    }

    @Test func `pages of those who have signed in are an app, others not`() async throws {
        try await withInProcessPics { pics in
            let code = try await pics.photo("Seen by all")
            var browser = try await pics.browser()
            var stranger = Browser(pics)
            for path in ["/", "/new", "/settings", "/\(code)"] {
                #expect(try await browser.open(path).text.contains("rel=\"manifest\""), "\(path)")
                #expect(try await !stranger.open(path).text.contains("rel=\"manifest\""), "\(path)")
            }
        }
    }
}
