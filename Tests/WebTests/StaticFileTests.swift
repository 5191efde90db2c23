import Foundation
import HTTP
import HTTPServer
import TestPics
import Testing

@testable import Web

/// The files of `Sources/Web/Assets` that browsers get.
struct StaticFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Sources/Web/Assets").standardizedFileURL

    /// The files of the folder with this extension: name and content.
    private func files(_ fileExtension: String) throws -> [(name: String, text: String)] {
        let all = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        return try all.filter { $0.pathExtension == fileExtension }.map {
            ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }

    @Test func `every file of the folder is served as it is`() throws {
        let sheets = [StaticFile.stylesheet, .appStylesheet].map { String(decoding: $0.bytes, as: UTF8.self) }
        let scripts = [
            "app": StaticFile.appScript, "caption": .captionScript, "new": .newScript, "outbox": .outboxScript,
            "texts": .textsScript, "photos": .photosScript, "picture": .pictureScript, "push": .pushScript,
            "passkeys": .passkeysScript, "status": .statusScript, "tools": .toolsScript, "zone": .zoneScript,
        ]

        let (styleFiles, scriptFiles) = (try files("css"), try files("js"))

        for file in styleFiles { #expect(sheets.filter { $0.contains(file.text) }.count == 1, "\(file.name).css") }
        let length = styleFiles.reduce(styleFiles.count - sheets.count) { $0 + $1.text.utf8.count }
        #expect(sheets.reduce(0) { $0 + $1.utf8.count } == length)
        #expect(Set(scriptFiles.map(\.name)) == Set(scripts.keys).union(["worker"]))
        for file in scriptFiles {
            let bytes = Array(file.text.utf8)
            let isServed =
                scripts[file.name].map { $0.bytes == bytes }
                ?? StaticFile.workerSource.suffix(bytes.count).elementsEqual(bytes)
            #expect(isServed, "\(file.name).js")
        }
    }

    /// The parts of pages that a script looks for.
    private func parts(of script: StaticFile) -> Set<String> {
        let text = String(decoding: script.bytes, as: UTF8.self)
        let wanted = text.matches(of: #/\[(data-[a-z]+)\]/#).map { String($0.1) }
        return Set(wanted + text.matches(of: #/dataset\.([a-z]+)/#).map { "data-\($0.1)" })
    }

    @Test func `a page has the parts that its scripts look for, and no others`() async throws {
        try await withGallery { pics, browser in
            var browser = browser
            let code = try await pics.photo("Seen by all")
            for (path, scripts) in [
                ("/\(code)", [StaticFile.captionScript]), ("/status", [.statusScript]), ("/", [.photosScript]),
                ("/new", [.newScript, .textsScript]), ("/\(code)/picture", [.pictureScript]),
            ] {
                let page = try await browser.open(path).text

                let there = Set(page.matches(of: #/ (data-[a-z]+)/#).map { String($0.1) })

                for script in scripts { #expect(page.contains("<script src=\"\(script.path)\" defer></script>")) }
                let wanted = scripts.reduce(into: Set<String>()) { $0.formUnion(parts(of: $1)) }
                #expect(
                    !there.isEmpty
                        && there.symmetricDifference(wanted).subtracting(parts(of: .appScript))
                            .subtracting(path == "/new" ? parts(of: .pictureScript).union(["data-editing"]) : []) == [],
                    "\(path)")
            }
            let page = try await browser.open("/\(code)").text
            #expect(page.contains("<form class=\"like\"") && page.contains("role=\"status\""))
        }
    }

    @Test func `a file's address changes with its content, and it is kept for ever`() {
        for file in [StaticFile.stylesheet, .appStylesheet, .captionScript, .statusScript] {
            #expect(file.path.contains(".\(ContentHash.of(file.bytes))."))
            #expect(StaticFile.at(file.path)?.response.fields["Cache-Control"] == "public, max-age=31536000, immutable")
        }
        #expect(StaticFile.at("/assets/pics.0.css") == nil)
    }

    @Test func `every custom property that a style uses is defined`() throws {
        let styles = [StaticFile.stylesheet, .appStylesheet].map { String(decoding: $0.bytes, as: UTF8.self) }.joined()

        let used = Set(styles.matches(of: #/var\((--[a-z0-9-]+)/#).map(\.output.1))
        let defined = Set(styles.matches(of: #/(--[a-z0-9-]+):/#).map(\.output.1))

        #expect(used.subtracting(defined) == [])
        #expect(defined.subtracting(used) == [])
    }
}
