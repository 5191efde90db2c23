internal import Accounts
internal import Domain
internal import Foundation
internal import HTTP
internal import Jobs
internal import Store
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// What an owner wants of others' words, and what the queue makes of it.
@Suite(.timeLimit(.minutes(5)))
struct InteractionTests {
    @Test func `a reply is sent once, and is a response from then on`() async throws {
        let service = SocialService()
        try await withBench(service) { bench in
            let said = try await bench.responded()
            let reply = try await bench.store.reply("Thanks", to: said, owner: bench.owner.id)

            #expect(reply.state == .waiting)
            #expect(try await bench.sendInteractions() == 1)
            #expect(try await bench.sendInteractions() == 0)

            let done = try await bench.store.interaction(reply.id, owner: bench.owner.id)
            #expect(done.state == .done && done.isConfirmed)
            #expect(service.performed.map(\.text) == ["Thanks"])
            let responses = try await bench.store.responses(of: bench.owner.id, limit: 10)
            #expect(responses.map(\.text) == ["Thanks", "Lovely"])
            #expect(responses.first?.parent == responses.last?.id)
        }
    }

    @Test func `a reply that is taken back is no response any more, and one that never left is nothing`() async throws {
        let service = SocialService()
        try await withBench(service) { bench in
            let said = try await bench.responded()
            let reply = try await bench.store.reply("Thanks", to: said, owner: bench.owner.id)
            try await bench.sendInteractions()
            _ = try await bench.store.setReply(reply.id, to: false, owner: bench.owner.id)
            try await bench.sendInteractions()
            let other = try await bench.store.reply("Wrong", to: said, owner: bench.owner.id)
            _ = try await bench.store.setReply(other.id, to: false, owner: bench.owner.id)
            try await bench.sendInteractions()

            #expect(service.performed.map(\.text) == ["Thanks", "-Thanks"])
            #expect(try await bench.store.responses(of: bench.owner.id, limit: 10).map(\.text) == ["Lovely"])
            #expect(try await bench.store.interactions(with: [said.id], owner: bench.owner.id).isEmpty)
            await #expect(throws: StoreError.notFound) {
                try await bench.store.setReply(reply.id, to: true, owner: bench.owner.id)
            }
        }
    }

    @Test func `a favourite is there as often as it is wanted, however it is changed while it is sent`() async throws {
        let service = SocialService()
        let (begun, end) = (Signal(), Signal())
        service.play { task throws(SubmissionError) in
            begun.fire()
            await end.wait()
            try await task.arm()
            return InteractionReceipt(remoteID: "like")
        }
        try await withBench(service) { bench in
            let said = try await bench.responded()
            _ = try await bench.store.set(.favourite, to: true, with: said, owner: bench.owner.id)
            async let sending = bench.sendInteractions()
            await begun.wait()
            let changed = try await bench.store.set(.favourite, to: false, with: said, owner: bench.owner.id)
            #expect(!changed.isWanted)
            end.fire()
            _ = try await sending
            try await bench.makeInteractionsDue()
            try await bench.sendInteractions()

            let now = try await bench.store.set(.favourite, to: false, with: said, owner: bench.owner.id)
            #expect(now.state == .done && !now.isConfirmed)
            #expect(service.performed.map(\.isWanted).last == false)
            #expect(try await bench.sendInteractions() == 0, "what is so already is not asked for")
        }
    }

    @Test func `what the service refuses is told, and the page shows what is there again`() async throws {
        let service = SocialService()
        service.play { _ throws(SubmissionError) in
            throw .rejected(SubmissionProblem(Problem(.permissionDenied)))
        }
        try await withBench(service) { bench in
            let said = try await bench.responded()
            let asked = try await bench.store.set(.favourite, to: true, with: said, owner: bench.owner.id)
            #expect(asked.isWanted)
            try await bench.sendInteractions()

            let refused = try await bench.store.interactions(with: [said.id], owner: bench.owner.id)
            #expect(refused.map(\.isWanted) == [false])
            #expect(refused.map(\.state) == [.failed])
            #expect(refused.first?.problem?.code == .permissionDenied)
            #expect(try await bench.value("SELECT state FROM connections") == "ok")
        }
    }

    @Test func `a missing right holds no posts back`() async throws {
        let service = SocialService()
        service.play { _ throws(SubmissionError) in
            throw .unauthorized(SubmissionProblem(Problem(.credentialsRefused)))
        }
        try await withBench(service) { bench in
            let said = try await bench.responded()
            _ = try await bench.store.reply("Thanks", to: said, owner: bench.owner.id)
            try await bench.sendInteractions()

            #expect(try await bench.value("SELECT state FROM connections") == "ok")
            #expect(try await bench.value("SELECT paused FROM lanes") == "false")
            let failed = try await bench.store.interactions(with: [said.id], owner: bench.owner.id)
            #expect(failed.map(\.state) == [.failed])
            #expect(failed.map(\.text) == ["Thanks"], "it can be tried again")
        }
    }

    @Test func `after a lost answer and after a crash the service is looked at before it is asked again`() async throws
    {
        let service = SocialService()
        service.play { task throws(SubmissionError) in
            try await task.arm()
            throw .unknownOutcome(SubmissionProblem(Problem(.noResponse)), retryAfter: nil)
        }
        try await withBench(service) { bench in
            let said = try await bench.responded()
            let reply = try await bench.store.reply("Thanks", to: said, owner: bench.owner.id)
            try await bench.sendInteractions()
            let open = try await bench.store.interaction(reply.id, owner: bench.owner.id)
            try await bench.makeInteractionsDue()
            // Another process takes it and dies.
            let taken = try await bench.store.claimInteractions(limit: 10)
            #expect(try await bench.sendInteractions() == 0, "it is leased")
            try await bench.sql("UPDATE interactions SET lease_until = now()")
            try await bench.sendInteractions()
            let late = try await bench.store.arm(try #require(taken.first))

            #expect(open.state == .waiting && open.problem?.code == .noResponse)
            #expect(taken.map(\.isArmed) == [true])
            #expect(service.performed.map(\.mayHaveLeft) == [false, true])
            #expect(!late, "whoever lost the lease sends nothing")
            #expect(try await bench.store.interaction(reply.id, owner: bench.owner.id).state == .done)
        }
    }

    @Test func `a limit holds the account, a closed lane all of its interactions`() async throws {
        let service = SocialService()
        try await withBench(service) { bench in
            let said = try await bench.responded()
            service.play { [clock = bench.clock] _ throws(SubmissionError) in
                throw .limited(SubmissionProblem(Problem(.rateLimited)), .account, until: clock.now + 600)
            }
            _ = try await bench.store.set(.favourite, to: true, with: said, owner: bench.owner.id)
            _ = try await bench.store.set(.repost, to: true, with: said, owner: bench.owner.id)
            try await bench.sendInteractions()
            #expect(service.performed.count == 1)
            #expect(try await bench.sendInteractions() == 0)

            try await bench.makeInteractionsDue()
            try await bench.sql("UPDATE lanes SET blocked_until = now() + interval '1 min'")
            #expect(try await bench.sendInteractions() == 0)
            try await bench.sql("UPDATE lanes SET blocked_until = '-infinity'")
            #expect(try await bench.sendInteractions() == 2)
            #expect(service.performed.count == 3)
        }
    }

    @Test func `what nobody can do ends`() async throws {
        try await withBench(SocialService()) { bench in
            let said = try await bench.responded()
            _ = try await bench.store.set(.favourite, to: true, with: said, owner: bench.owner.id)
            try await bench.sql("UPDATE connections SET state = 'disabled', credentials = ''")

            #expect(try await bench.sendInteractions() == 0)
            #expect(try await bench.store.endStaleInteractions() == 1)
            #expect(try await bench.store.endStaleInteractions() == 0)
            await #expect(throws: StoreError.notFound) {
                try await bench.store.set(.repost, to: true, with: said, owner: bench.owner.id)
            }
        }
    }

    @Test func `nobody acts on what came to another, or on a like`() async throws {
        try await withBench(SocialService()) { bench in
            let said = try await bench.responded()
            let liked = try await bench.responded(.like)
            let other = try await bench.store.addUser("bob")

            for (target, owner) in [(said, other.id), (liked, bench.owner.id)] {
                await #expect(throws: StoreError.notFound) {
                    try await bench.store.reply("Hi", to: target, owner: owner)
                }
                await #expect(throws: StoreError.notFound) {
                    try await bench.store.set(.favourite, to: true, with: target, owner: owner)
                }
            }
        }
    }

    @Test func `many workers do each interaction once`() async throws {
        let service = SocialService()
        try await withBench(service) { bench in
            var targets: [Interaction.Target] = []
            for number in 0..<12 { targets.append(try await bench.responded(key: "said \(number)")) }
            for target in targets {
                _ = try await bench.store.set(.favourite, to: true, with: target, owner: bench.owner.id)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await bench.sendInteractions() } }
                try await group.waitForAll()
            }
            try await bench.sendInteractions()

            #expect(service.performed.count == 12)
            #expect(Set(service.performed.map(\.key)).count == 12)
        }
    }
}

extension Interaction.Target {
    fileprivate var id: ResponseID {
        if case .response(let id) = self { id } else { preconditionFailure("it is a post") }
    }
}

extension Bench {
    /// A response to a post of alice's.
    fileprivate func responded(_ kind: Response.Kind = .comment, key: String = "said") async throws
        -> Interaction.Target
    {
        let post = try await submit(to: try await connect())
        try await sql("UPDATE submissions SET state = 'done', remote_id = 'post' WHERE id = '\(post)'")
        try await sql("DELETE FROM jobs")
        let photo = try await submission(post).photo
        try await store.keep(
            FoundResponse(
                kind: kind, key: "\(kind.rawValue) \(key)", remoteID: "7", author: FoundAuthor(key: "ann", name: "Ann"),
                text: kind == .comment ? "Lovely" : ""),
            to: photo, post: post, source: "scripted")
        return .response(
            try #require(
                try await store.responses(of: owner.id, ResponseFilter(photo: photo), limit: 1).first?.id))
    }

    @discardableResult
    fileprivate func sendInteractions() async throws -> Int {
        try await InteractionSender(
            context: context,
            accounts: AccountReader(
                store: store, registry: context.registry, keys: context.keys, transport: context.transport,
                now: context.now)
        ).sendDue()
    }

    fileprivate func makeInteractionsDue() async throws {
        try await sql("UPDATE interactions SET due_at = now() WHERE due_at IS NOT NULL")
    }
}

/// A service that does what it is told, and remembers it.
private final class SocialService: InteractingSubmitter, ServiceDouble {
    typealias Step = @Sendable (InteractionTask) async throws(SubmissionError) -> InteractionReceipt

    struct Performed: Sendable {
        let key: String
        let text: String
        let isWanted: Bool
        let mayHaveLeft: Bool
    }

    let description = ServiceDescription.scripted()
    private let state = Lock((steps: [Step](), performed: [Performed]()))

    var performed: [Performed] { state.withLock { $0.performed } }

    /// Scripts the next try that has no script yet.
    func play(_ step: @escaping Step) { state.withLock { $0.steps.append(step) } }

    func interactions(_ settings: JSONValue) -> Set<Interaction.Kind> { Set(Interaction.Kind.allCases) }

    func perform(_ task: InteractionTask) async throws(SubmissionError) -> InteractionReceipt {
        let step = state.withLock { state -> Step? in
            state.performed.append(
                Performed(
                    key: task.targetKey, text: task.isWanted ? task.text : "-\(task.text)", isWanted: task.isWanted,
                    mayHaveLeft: task.mayHaveLeft))
            return state.steps.isEmpty ? nil : state.steps.removeFirst()
        }
        if let step { return try await step(task) }
        try await task.arm()
        guard task.isWanted else { return InteractionReceipt() }
        return InteractionReceipt(
            remoteID: "made \(task.outboundKey)",
            response: task.kind == .reply
                ? FoundResponse(
                    kind: .comment, key: "made \(task.outboundKey)", parent: task.targetKey,
                    author: FoundAuthor(key: "alice", name: "Alice"), text: task.text) : nil)
    }
}
