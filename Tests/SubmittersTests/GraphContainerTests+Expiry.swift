internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

/// Containers that end before they are published.
extension GraphContainerTests {
    @Test(arguments: both)
    func `a container that has expired is made anew, once`(service: Subject) async throws {
        try await withScene(service) { scene in
            scene.host?.fail(Self.steps(service).publish, .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            scene.journal.disarm()
            scene.clock.advance(by: .seconds(24 * 3600))

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            #expect(scene.requests(of: Self.steps(service).make) == 2)
        }
    }

    @Test(arguments: both)
    func `containers that expire at once are made anew at the next attempt, not for ever`(
        service: Subject
    ) async throws {
        try await withScene(service) { scene in
            let expired = Fault.status(200, body: #"{"id": "1", "status": "EXPIRED", "status_code": "EXPIRED"}"#)
            scene.host?.fail(Self.steps(service).look, expired, expired, expired)

            #expect(await scene.meaningOfFirstFailure() == .temporary)
            #expect(scene.requests(of: Self.steps(service).make) == 2)
            _ = try await PlayedQueue(scene: scene).receipt()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: both)
    func `the containers of several pictures that have expired are made anew, all of them`(
        service: Subject
    ) async throws {
        try await withScene(service.showing(service.name) { $0.companions = 2 }) { scene in
            scene.host?.fail(Self.steps(service).publish, .status(429))
            #expect(await scene.meaningOfFirstFailure() == .limited)
            scene.journal.disarm()
            scene.clock.advance(by: .seconds(24 * 3600))

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            #expect(scene.requests(of: Self.steps(service).make) == 8)
        }
    }

    @Test(arguments: both)
    func `a container that is not known yet is published a little later, and a lost one is made anew`(
        service: Subject
    ) async throws {
        for (losses, made) in [(1, 1), (4, 2)] {
            try await withScene(Self.changed(service) { $0.losses = losses }) { scene in
                #expect(await Self.problem(scene) == .uploadLost)
                scene.journal.disarm()

                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
                #expect(scene.requests(of: Self.steps(service).make) == made)
            }
        }
    }

    @Test(arguments: both)
    func `containers that have vanished are made anew`(service: Subject) async throws {
        for companions in [0, 2] {
            try await withScene(service.showing(service.name) { $0.companions = companions }) { scene in
                scene.host?.fail(Self.steps(service).publish, .status(429))
                #expect(await scene.meaningOfFirstFailure() == .limited)
                scene.journal.disarm()
                try Self.containers(scene).removeContainers()

                guard case .done = await PlayedQueue(scene: scene).work() else {
                    Issue.record("not published")
                    return
                }
                #expect(scene.isPublishedOnce)
            }
        }
    }

    @Test(arguments: [
        (Subject.threads, ["UNKNOWN"], true), (.threads, ["UNKNOWN", "FAILED_PROCESSING_VIDEO"], true),
        (.threads, ["UNKNOWN", "UNKNOWN", "UNKNOWN"], false), (.threads, ["INVALID_ASPEC_RATIO"], false),
        (.instagram, ["2207053"], true), (.instagram, ["2207082", "2207001"], true),
        (.instagram, ["2207053", "2207053", "2207053"], false), (.instagram, ["2207026"], false),
    ])
    func `a container that has failed is made anew a few times, unless the service takes no such file`(
        service: Subject, faults: [String], isPublished: Bool
    ) async throws {
        try await withScene(Self.changed(service) { $0.faults = faults }) { scene in
            let ending = await PlayedQueue(scene: scene).work()

            if isPublished { #expect(scene.isPublishedOnce) } else { #expect(ending == .rejected) }
            #expect(scene.requests(of: Self.steps(service).make) == faults.count + (isPublished ? 1 : 0))
        }
    }

    @Test(arguments: both)
    func `words that were changed before the post are those that are published`(service: Subject) async throws {
        try await withScene(service) { scene in
            #expect(await meaning { try await scene.submit("Before") } == .notYet)
            scene.clock.advance(by: .seconds(30))

            #expect(await meaning { try await scene.submit("After") } == .notYet)
            scene.clock.advance(by: .seconds(30))
            let receipt = try await scene.submit("After")

            #expect(receipt.text == nil)
            #expect(scene.host?.service.effects.map(\.text) == ["After"])
        }
    }

    @Test(arguments: both)
    func `a post whose address is not told is found by its number`(service: Subject) async throws {
        let subject = Self.changed(service) { ($0.processing, $0.listDelay) = (0, 1e6) }
        try await withScene(subject) { scene in
            scene.host?.fail(Self.steps(service).look, .none, .status(500), .status(503))

            #expect(await meaning { try await scene.submit() } == .unknownOutcome)
            #expect(await meaning { try await scene.reconcile() } == .temporary)

            let post = try #require(scene.host?.service.effects.first)
            #expect(try await scene.reconcile() == .found(Receipt(remoteID: post.id, url: post.url)))
        }
    }
}
