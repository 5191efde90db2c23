import Foundation
import HTTP
import TestPics
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(3)))
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
