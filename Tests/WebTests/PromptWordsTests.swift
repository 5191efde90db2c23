import Foundation
import Submitters
import Testing

@testable import Web

struct PromptWordsTests {
    @Test(arguments: standardRegistry.submitters.map(\.description.id))
    func `each prompt and note of a service has Japanese words`(id: String) throws {
        let submitter = try #require(standardRegistry[id])
        let service = submitter.description
        let browser = (submitter as? any OAuthSubmitter)?.oauth
        let fields = service.credentialFields + (browser?.appFields ?? []) + (browser?.accountFields ?? [])

        let prompts = fields.map { Phrase.prompt($0, of: id) }
        let notes =
            [service.note.map { Phrase.note($0, of: id) }, service.linkNote.map { Phrase.linkNote($0, of: id) }]
            .compactMap(\.self)

        #expect((prompts + notes).filter { $0.english == $0.japanese }.map(\.english) == [])
    }

    @Test func `each label of a problem has Japanese words`() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let folder = "\(root)/Sources/Submitters"
        let sources = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }

        let labels = sources.flatMap { source in
            source.matches(of: #/(?:label: |\.required\(\s*[a-z_"]+, )"([^"]+)"/#).map { String($0.1) }
        }

        #expect(labels.count > 20)
        #expect(labels.filter { Phrase.problemLabels[$0] == nil } == [])
    }
}
