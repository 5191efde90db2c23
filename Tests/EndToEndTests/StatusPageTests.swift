import Foundation
import HTTP
import TestPics
import TestTools
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StatusPageTests {
    @Test func `the page answers first whether it works, and tells admins what to mend`() async throws {
        try await withGallery { pics, browser in
            var admin = browser
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Out").body)
            _ = try await pics.ended(try #require(posted["id"]?.string))

            let seen = try await admin.open("/status")
            #expect(seen.text.contains("<h1>Everything works. Nothing is waiting.</h1>"))
            #expect(seen.text.contains("To fix"))
        }
    }

    @Test func `the page is renewed by a script that can be stopped, and not by force`() async throws {
        try await withGallery { pics, browser in
            var stranger = Browser(pics)

            let page = try await stranger.open("/status").text

            #expect(!page.contains("http-equiv") && page.contains("<input type=\"checkbox\" checked>"))
            let script = try #require(page.firstMatch(of: #/<script src="([^"]+)" defer>/#)?.1)
            #expect(try await stranger.open(String(script)).status == 200)
        }
    }

    @Test func `an admin tries a refused one again from the page, and markup of services is text`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Out").body)
            _ = try await pics.ended(try #require(posted["id"]?.string))
            let problem = "<script>alert(1)</script>\u{202E}" + String(repeating: "\u{301}", count: 10_000)
            #expect(
                try await pics.change(
                    "UPDATE submissions SET state = 'rejected', remote_id = NULL, updated_at = now(), problem = '\(problem)'"
                )
                    == 1)
            try await until { try await browser.open("/status").text.contains("&lt;script&gt;alert(1)") }

            let page = try await browser.open("/status")
            #expect(!page.text.contains("<script>"))
            let path = try #require(page.text.firstMatch(of: #/\/status\/submissions\/[0-9a-f-]+\/retry/#)?.output)
            #expect(try await Browser(pics).forged(to: String(path)) == 303)
            #expect(try await browser.submit([:], to: String(path), from: "/status").location == "/status?done=yes")

            let states = try await pics.ended(try #require(posted["id"]?.string)).compactMap { $0["state"]?.string }
            #expect(states == ["done"])
        }
    }

    @Test func `one that may have been posted is settled from the page`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            let posted = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "Out").body)
            let id = try #require(posted["id"]?.string)
            _ = try await pics.ended(id)
            #expect(try await pics.change("UPDATE submissions SET state = 'unknown', updated_at = now()") == 1)

            let page = try await browser.open("/status")
            let path = try #require(page.text.firstMatch(of: #/\/status\/submissions\/[0-9a-f-]+\/resolve/#)?.output)
            #expect(try await browser.submit([:], to: String(path), from: "/status").location == "/status?done=yes")

            #expect(try await pics.ended(id).compactMap { $0["state"]?.string } == ["done"])
            let late = try await browser.submit([:], to: String(path), from: "/settings")
            #expect(late.location == "/status?done=late")
        }
    }
}

extension Browser {
    /// The answer to a form that was sent without signing in.
    fileprivate func forged(to path: String) async throws -> Int {
        var browser = self
        return try await browser.post([:], to: path).status
    }
}
