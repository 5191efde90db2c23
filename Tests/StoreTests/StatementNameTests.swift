import Foundation
import Testing

/// A connection refuses a second statement of a name it knows: whoever asks second gets an error, at some time of some day.
struct StatementNameTests {
    @Test func `no two statements of the store have one name`() throws {
        let folder = URL(filePath: #filePath.components(separatedBy: "/Tests/")[0]).appending(path: "Sources/Store")
        var places: [String: [String]] = [:]
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/\bQuery(?:<[^>]*>)?\(\s*"([a-z_0-9]+)"/#) {
                places[String(match.1), default: []].append(file.lastPathComponent)
            }
        }

        #expect(places.count > 200)
        #expect(places.filter { $0.value.count > 1 }.isEmpty)
    }
}
