import Foundation
import HTTP
import HTTPServer
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
        let styles = String(decoding: StaticFile.stylesheet.bytes, as: UTF8.self)
        let scripts = ["caption": StaticFile.captionScript, "status": .statusScript]

        let (styleFiles, scriptFiles) = (try files("css"), try files("js"))

        for file in styleFiles { #expect(styles.contains(file.text), "\(file.name).css") }
        #expect(styles.utf8.count == styleFiles.reduce(styleFiles.count - 1) { $0 + $1.text.utf8.count })
        #expect(Set(scriptFiles.map(\.name)) == Set(scripts.keys))
        for file in scriptFiles { #expect(scripts[file.name]?.bytes == Array(file.text.utf8), "\(file.name).js") }
    }

    @Test func `a file's address changes with its content, and it is kept for ever`() {
        for file in [StaticFile.stylesheet, .captionScript, .statusScript] {
            #expect(file.path.contains(".\(ContentHash.of(file.bytes))."))
            #expect(StaticFile.at(file.path)?.response.fields["Cache-Control"] == "public, max-age=31536000, immutable")
        }
        #expect(StaticFile.at("/assets/pics.0.css") == nil)
    }

    @Test func `every custom property that a style uses is defined`() throws {
        let styles = String(decoding: StaticFile.stylesheet.bytes, as: UTF8.self)

        let used = Set(styles.matches(of: #/var\((--[a-z0-9-]+)/#).map(\.output.1))
        let defined = Set(styles.matches(of: #/(--[a-z0-9-]+):/#).map(\.output.1))

        #expect(used.subtracting(defined) == [])
        #expect(defined.subtracting(used) == [])
    }
}
