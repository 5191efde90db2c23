import Foundation
import HTTP
import TestPics
import Testing

/// `pics import`, beside a Pics that runs.
@Suite(.timeLimit(.minutes(10)))
struct ImportCommandTests {
    @Test func `import takes a folder once, says what failed, and what was there`() async throws {
        try await withPics { pics in
            let folder = "\(pics.folder)/photos"
            try FileManager.default.createDirectory(atPath: "\(folder)/Trip", withIntermediateDirectories: true)
            for number in 0..<3 {
                try Data(CameraPhoto.jpeg(at: "201\(number):11:20 10:11:12", offset: "+01:00", number))
                    .write(to: URL(filePath: "\(folder)/Trip/\(number).jpg"))
            }
            try Data("no picture".utf8).write(to: URL(filePath: "\(folder)/bad.png"))

            let first = try await pics.command("import", folder)
            let second = try await pics.command("import", folder, "--user", "admin")

            #expect(first.status == 1 && first.output.contains("3 imported, 0 already there, 1 failed"))
            #expect(first.output.contains("failed: bad.png  Pics does not take files of this type."))
            #expect(second.output.contains("0 imported, 3 already there, 1 failed"))
            let items = try #require(try await pics.json("/v1/photos")["items"]?.array)
            #expect(items.map { $0["published_at"]?.string?.prefix(4) } == ["2012", "2011", "2010"])
            #expect(items.allSatisfy { $0["album"] == "Trip" && $0["visibility"] == "private" })

            try FileManager.default.removeItem(atPath: "\(folder)/bad.png")
            #expect(try await pics.command("import", folder).status == 0)
            #expect(try await pics.command("import", "\(folder)/none").status == 2)
            #expect(try await pics.command("import", folder, "--user", "nobody").status == 1)
        }
    }
}
