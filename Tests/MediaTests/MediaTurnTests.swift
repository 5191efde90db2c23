import Domain
import Foundation
import MediaSamples
import Testing

@testable import Media

/// One owner's slow pictures, and what others get meanwhile. The program hangs over each picture until it is killed.
struct MediaTurnTests {
    private let alice = UserID.make()
    private let bert = UserID.make()

    @Test(arguments: [1, 2])
    func `a person with sixty slow pictures in line does not delay another's`(children: Int) async throws {
        try await withWorkbench(program: MediaPoolTests.hanging, configure: { $0.children = children }) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            let hers = bench.pool.working(for: alice)
            let slow = (0..<60).map { _ in Task { try await hers.probe(photo) } }
            // All that one owner may have under way.
            for _ in 0..<children + 1 { _ = await bench.starts.next() }

            let his = Task { try await bench.pool.working(for: bert).probe(photo) }
            let process = await bench.starts.next()
            kill(process, SIGSEGV)

            await #expect(throws: MediaError.refused(.tooCostly)) { try await his.value }
            #expect(bench.pool.processes.count == children + 1)
            for task in slow { task.cancel() }
            for task in slow { _ = await task.result }
        }
    }

    @Test func `pictures of another are made while all of one owner's places are taken`() async throws {
        try await withWorkbench(program: MediaPoolTests.hanging) { bench in
            let photo = try bench.file("a.png", PixelGrid.flag.png())
            let slow = (0..<10).map { number in
                Task { try await bench.pool.working(for: alice).strip(photo, to: bench.path("a\(number).png")) }
            }
            _ = await bench.starts.next()

            let his = Task { try await bench.pool.working(for: bert, .view).strip(photo, to: bench.path("b.png")) }
            let process = await bench.starts.next()
            his.cancel()

            #expect(process > 0)
            await #expect(throws: MediaError.cancelled) { try await his.value }
            #expect(bench.pool.processes.count == 1)
            for task in slow { task.cancel() }
            for task in slow { _ = await task.result }
        }
    }

    @Test func `who fills the line is told to come later, and others are not`() async throws {
        let turnstile = Turnstile(makersOfOwner: 1, lineLimit: 4)
        let (hers, his) = (Turnstile.Place(owner: alice), Turnstile.Place(owner: bert))
        try await turnstile.enter(hers)
        try await turnstile.enter(his)
        let outcomes = AsyncStream<Result<Void, MediaError>>.makeStream()
        let waiting = (0..<5).map { _ in
            Task {
                do throws(MediaError) {
                    try await turnstile.enter(hers)
                    turnstile.leave(hers)
                } catch { outcomes.continuation.yield(.failure(error)) }
            }
        }
        var refusals = outcomes.stream.makeAsyncIterator()
        // One more than the line holds.
        let first = await refusals.next()
        #expect(throws: MediaError.busy) { try first?.get() }

        let next = Task {
            try await turnstile.enter(his)
            turnstile.leave(his)
        }

        // One of hers gave way to his.
        let second = await refusals.next()
        #expect(throws: MediaError.busy) { try second?.get() }
        turnstile.leave(his)
        try await next.value
        turnstile.leave(hers)
        for task in waiting { await task.value }
    }
}
