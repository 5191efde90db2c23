internal import Domain
internal import HTTP
internal import Store
internal import System
internal import TestTools
internal import Testing

@testable import Jobs
@testable internal import Submitters

/// Captions that go as several posts.
@Suite(.timeLimit(.minutes(5)))
struct ThreadTests {
    private static let texts = ["One.", "Two.", "Three."]

    @Test func `each post of a thread answers the one before, and all are taken back together`() async throws {
        let service = ThreadService()
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), thread: Self.texts)
            let worker = bench.start()

            let sent = try await bench.ended(id)

            #expect(sent.state == .done && sent.remoteID == "1" && sent.thread == Self.texts)
            #expect(service.posts.map(\.text) == Self.texts)
            #expect(service.posts.map(\.answering) == [nil, "1", "2"])
            try await bench.deleteEverywhere(id)
            await worker.wake()
            #expect(try await bench.ended(id, tries: 2).state == .deleted)
            #expect(service.posts.isEmpty && service.deleted == ["3", "2", "1"])
        }
    }

    @Test(arguments: [1, 2, 3], [true, false])
    func `a post whose answer is lost is looked for, and the thread goes on behind it`(
        number: Int, isThere: Bool
    ) async throws {
        let service = ThreadService()
        service.loseAnswer(to: number, isThere: isThere)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), thread: Self.texts)
            let worker = bench.start()
            #expect(try await bench.ended(id).state == .waiting)
            try await bench.makeDue()
            await worker.wake()

            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(service.posts.map(\.text) == Self.texts)
            #expect(service.posts.map(\.answering) == [nil] + service.posts.dropLast().map { $0.id })
        }
    }

    @Test func `a photo that is edited between two posts of a thread is not posted again`() async throws {
        let service = ThreadService()
        let (posted, edited) = (Signal(), Signal())
        service.pause(before: 2) {
            posted.fire()
            await edited.wait()
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), thread: Self.texts, kind: .photo)
            _ = bench.start()
            await posted.wait()
            try await bench.makeSquare(id)
            edited.fire()

            #expect(try await bench.ended(id).state == .done)
            #expect(service.posts.map(\.text) == Self.texts)
        }
    }

    @Test func `a photo that is made private between two posts gets no further post`() async throws {
        let service = ThreadService()
        let (posted, isPrivate) = (Signal(), Signal())
        service.pause(before: 2) {
            posted.fire()
            await isPrivate.wait()
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), thread: Self.texts)
            _ = bench.start()
            await posted.wait()
            try await bench.makePrivate(id)
            isPrivate.fire()

            let ended = try await bench.ended(id)
            #expect(ended.state == .done && ended.remoteID == "1" && ended.problem?.code == .interrupted)
            #expect(service.posts.map(\.text) == ["One."])
        }
    }

    @Test func `a part that is refused ends the thread, and its owner is told`() async throws {
        let service = ThreadService()
        service.refuse(3)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), thread: Self.texts)
            _ = bench.start()

            let ended = try await bench.ended(id)

            #expect(ended.state == .done && ended.problem?.code == .postRefused && ended.text == "One.\n\nTwo.")
        }
    }

    @Test func `new words reach every post of a thread that stays as long`() async throws {
        let service = ThreadService()
        try await withBench(service) { bench in
            let account = try await bench.connect(settings: #"{"long_caption": "thread"}"#)
            let id = try await bench.submit(to: account, thread: Array(Self.texts.prefix(2)))
            let worker = bench.start()
            try await bench.ended(id)
            try await bench.edit(id, caption: String(repeating: "Long words. ", count: 15))
            await worker.wake()

            let edited = try await bench.ended(id, tries: 2)
            #expect(edited.edit == .done && service.posts.count == 2)
            #expect(service.posts.allSatisfy { $0.text.hasPrefix("Long words.") && !$0.text.contains("https://") })

            try await bench.edit(id, caption: "Short.")
            await worker.wake()
            let refused = try await bench.ended(id, tries: 3)
            #expect(refused.edit == .unsupported && service.posts[0].text.hasPrefix("Long words."))
        }
    }

    @Test func `a caption that would be cut is not sent where its owner wants it whole`() async throws {
        let service = ThreadService()
        try await withBench(service) { bench in
            let account = try await bench.connect(settings: #"{"long_caption": "refuse"}"#)
            let long = try await bench.submit(to: account, isCut: true)
            let short = try await bench.submit(to: account)
            _ = bench.start()

            let refused = try await bench.ended(long)
            #expect(refused.state == .rejected && refused.problem?.code == .captionTooLong)
            #expect(try await bench.ended(short).state == .done)
            #expect(service.posts.count == 1)
        }
    }

    @Test func `posts of a thread are nobody else's`() async throws {
        let service = ThreadService()
        try await withBench(service) { bench in
            let account = try await bench.connect()
            let id = try await bench.submit(to: account, thread: Self.texts)
            let other = try await bench.submit(to: account)
            _ = bench.start()
            try await bench.ended(id)

            for post in ["1", "2", "3"] {
                let isTaken = try await bench.store.isTaken(post, besides: other)
                let isItsOwn = try await bench.store.isTaken(post, besides: id)
                #expect(isTaken && !isItsOwn)
            }
        }
    }
}

/// A service whose posts answer each other; one lane, its posts numbered from 1.
private final class ThreadService: ThreadingSubmitter, DeletingSubmitter, EditingSubmitter, ServiceDouble {
    struct Post: Sendable {
        let id: String
        var text: String
        let answering: String?
    }

    private struct State {
        var posts: [Post] = []
        var deleted: [String] = []
        var requests = 0
        var lost: (number: Int, isThere: Bool)?
        var refused: Int?
        var pause: (number: Int, body: @Sendable () async -> Void)?
    }

    let description = ServiceDescription.scripted(takesAltText: true)
    private let state = Lock(State())

    var posts: [Post] { state.withLock { $0.posts } }
    var deleted: [String] { state.withLock { $0.deleted } }

    /// The request for a post gets no answer, once.
    func loseAnswer(to number: Int, isThere: Bool) { state.withLock { $0.lost = (number, isThere) } }

    func refuse(_ number: Int) { state.withLock { $0.refused = number } }

    func pause(before number: Int, _ body: @escaping @Sendable () async -> Void) {
        state.withLock { $0.pause = (number, body) }
    }

    func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        let number = state.withLock { state in
            state.requests += 1
            return state.requests
        }
        if let pause = state.withLock({ $0.pause }), pause.number == number { await pause.body() }
        return try await task.publish(task.text) { _ throws(SubmissionError) in
            let (receipt, isLost) = state.withLock { state -> (Receipt?, Bool) in
                if state.refused == number { return (nil, false) }
                let isLost = state.lost?.number == number
                if isLost, state.lost?.isThere == false { return (nil, true) }
                let post = Post(id: String(state.posts.count + 1), text: task.text, answering: task.answering?.parent)
                state.posts.append(post)
                return (Receipt(remoteID: post.id, url: "https://social.test/\(post.id)"), isLost)
            }
            if isLost { throw .unknownOutcome(SubmissionProblem(Problem(.noResponse)), retryAfter: nil) }
            guard let receipt else { throw .rejected(.postRefused) }
            return receipt
        }
    }

    func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        let post = posts.first { $0.text == task.text && $0.answering == task.answering?.parent }
        return post.map { .found(Receipt(remoteID: $0.id, url: nil)) } ?? .absent
    }

    func delete(_ post: PublishedPost) async throws(SubmissionError) {
        state.withLock { state in
            state.posts.removeAll { $0.id == post.remoteID }
            state.deleted.append(post.remoteID)
        }
    }

    func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        state.withLock { state in
            for place in state.posts.indices where state.posts[place].id == post.remoteID {
                state.posts[place].text = text
            }
        }
    }
}
