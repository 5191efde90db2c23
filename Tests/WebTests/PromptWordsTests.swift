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
}
