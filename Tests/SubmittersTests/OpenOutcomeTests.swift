import HTTP
import TestTools
import Testing

@testable import Submitters

struct OpenOutcomeTests {
    @Test func `a request that publishes is armed and written down in one write`() async throws {
        let journal = MemoryJournal()
        let folder = try TemporaryFolder()
        let photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: TestClock().now)
        let task = SubmissionTask.sample(photo, to: .sample([:], [:]), over: Recording(), journal: journal)

        let writes = try await task.publish("Föhn") { earlier throws(SubmissionError) in
            #expect(earlier == nil)
            return journal.writes
        }

        #expect(writes == 1 && journal.isArmed)
        #expect(await OpenOutcome.recorded(in: journal)?.text == "Föhn")
    }
}
