internal import Domain
internal import Foundation
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@Suite(.timeLimit(.minutes(5)))
struct PostChangeTests {
    @Test func `a post of a photo that is deleted everywhere is taken back, also after trouble`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            #expect(try await bench.ended(id).state == .done)
            service.fail(.temporary(SubmissionProblem(.other("Busy.")), retryAfter: nil))
            try await bench.deleteEverywhere(id)
            await worker.wake()
            #expect(try await bench.ended(id, tries: 2).state == .done)
            try await bench.makeDue()
            await worker.wake()

            #expect(try await bench.ended(id, tries: 3).state == .deleted)
            #expect(service.deleted == ["post"])
            #expect(try await bench.attempts(id) == ["done", "temporary", "deleted"])
        }
    }

    @Test func `a post that is gone already counts as taken back`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            try await bench.ended(id)
            service.fail(.gone(SubmissionProblem(.other("Not there."))))
            try await bench.deleteEverywhere(id)
            await worker.wake()
            #expect(try await bench.ended(id, tries: 2).state == .deleted)
        }
    }

    @Test func `new words are planned by the account's rule when they are sent`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            try await bench.ended(id)
            let words = String(repeating: "Long words. ", count: 20)
            try await bench.edit(id, caption: words)
            await worker.wake()

            let edited = try await bench.ended(id, tries: 2)
            #expect(edited.state == .done)
            let sent = try #require(service.texts.first)
            #expect(sent.count <= 140 && sent.hasPrefix("Long words.") && sent.contains("https://"))
            #expect(edited.text == sent && edited.edit == .done)
        }
    }

    @Test func `a change that a service refuses leaves the post, and its owner is told`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let worker = bench.start()
            try await bench.ended(id)
            service.fail(.rejected(SubmissionProblem(.other("Too old to be changed."))))
            try await bench.edit(id, caption: "New")
            await worker.wake()

            let edited = try await bench.ended(id, tries: 2)
            #expect(edited.state == .done)
            #expect(edited.problem == .other("Too old to be changed."))
            #expect(edited.remoteID == "post" && edited.edit == .refused)
        }
    }

    @Test func `credentials are renewed once before they end, and stored before they are used`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let first = try await bench.submit(to: connection)
            service.endCredentials(at: bench.clock.now.addingTimeInterval(60))
            let worker = bench.start()
            #expect(try await bench.ended(first).state == .done)
            let second = try await bench.submit(to: connection)
            await worker.wake()
            #expect(try await bench.ended(second).state == .done)

            #expect(service.refreshes == 1)
            #expect(service.tokens == ["fresh", "fresh"])
            #expect(try await bench.value("SELECT credentials_no FROM connections") == "1")
        }
    }

    @Test func `while another process renews credentials, a job waits and does not count`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)
            service.endCredentials(at: bench.clock.now)
            #expect(try await bench.store.beginRefresh(of: connection, credentialsNo: 0, lease: .seconds(60)))
            let worker = bench.start()
            await bench.log.wait(for: "submission given back", id.description)
            #expect(service.refreshes == 0)
            #expect(try await bench.submission(id).attempts == 0)

            try await bench.sql("UPDATE connections SET refreshing_until = '-infinity'")
            try await bench.makeDue()
            await worker.wake()
            #expect(try await bench.ended(id).state == .done)
            #expect(service.refreshes == 1)
        }
    }

    @Test func `credentials that are refused before their end are renewed, once`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            service.refuse(["secret"])
            let worker = bench.start()
            await bench.log.wait(for: "submission given back", id.description)
            try await bench.makeDue()
            await worker.wake()
            #expect(try await bench.ended(id).state == .done)
            #expect(service.refreshes == 1)
            #expect(service.tokens == ["fresh"])

            let next = try await bench.submit(to: try await bench.connect("bob"))
            service.refuse(["secret", "fresh"])
            await worker.wake()
            await bench.log.wait(for: "submission given back", next.description)
            try await bench.makeDue()
            await worker.wake()
            #expect(try await bench.ended(next).state == .needsLogin)
            #expect(service.refreshes == 2)
        }
    }

    @Test func `credentials that cannot be renewed any more park the account`() async throws {
        let service = ChangingService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            service.endCredentials(at: bench.clock.now)
            service.fail(.unauthorized(SubmissionProblem(.other("Connect again."))))
            _ = bench.start()
            #expect(try await bench.ended(id).state == .needsLogin)
            #expect(service.tokens.isEmpty)
        }
    }
}

extension Bench {
    func deleteEverywhere(_ submission: SubmissionID) async throws {
        let photo = try await self.submission(submission).photo
        try await store.deletePhoto(photo, owner: owner.id, takingBack: ChangePolicy([submission]))
    }

    func edit(_ submission: SubmissionID, caption: String) async throws {
        let photo = try await self.submission(submission).photo
        let version = try await store.photo(photo, viewer: owner.id).photo.version
        try await store.edit(
            photo, owner: owner.id, version: version,
            edit: PhotoEdit(caption: caption, altText: nil, visibility: nil), texts: [],
            posts: ChangePolicy([submission]))
    }
}
