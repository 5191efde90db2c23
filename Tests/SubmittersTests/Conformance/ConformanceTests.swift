internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// What every service has to keep, whatever goes wrong on the way.
struct ConformanceTests {
    @Test(arguments: Subject.allCases)
    func `a photo is published once, as it was given, and the receipt names it`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            let ending = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            guard case .done(let receipt) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(scene.publishedIDs == [receipt.remoteID])
            // What has no address has an empty one at the fake.
            #expect(receipt.url ?? "" == scene.host?.service.effects.first?.url ?? "")
            #expect(receipt.text == nil)
        }
    }

    @Test(arguments: Subject.remote.filter(\.hasAltText))
    func `an alternative text goes along`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.host?.service.effects.first?.media.map(\.altText) == [Scene.altText])
        }
    }

    @Test(arguments: Subject.allCases)
    func `progress is of the photo's bytes, never of more, and does not go back`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            _ = await PlayedQueue(scene: scene).work()

            let progress = scene.progress.withLock { $0 }
            #expect(!progress.isEmpty)
            #expect(progress.allSatisfy { $0.total == Scene.bytes && 0...Scene.bytes ~= $0.sent })
            #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.sent <= $1.sent })
        }
    }

    @Test(arguments: Subject.remote, Refusal.allCases)
    func `a refusal to publish says what happens next, and publishes nothing`(
        subject: Subject, refusal: Refusal
    ) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.publishingStep, .status(refusal.rawValue))

            let meaning = await scene.meaningOfFirstFailure()

            #expect(meaning == refusal.meaning(at: subject))
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: Subject.remote)
    func `a limit holds until Retry-After says`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.steps[0], .status(429, fields: ["Retry-After": "40"]))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.scope == .account)
            #expect(limit?.until == scene.clock.now.addingTimeInterval(40))
            #expect(limit?.problem.status == 429)
            #expect(limit?.problem.sentence.hasSuffix("Pics goes on by itself after 2026-11-21 19:42 UTC.") == true)
        }
    }

    @Test(arguments: Subject.remote)
    func `a limit without Retry-After leaves the pause to the queue`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.steps[0], .status(429))

            let limit = await limitMet { try await scene.submit() }

            #expect(limit?.scope == .account)
            #expect(limit?.until == nil)
            #expect(limit?.problem.sentence.hasSuffix("Pics goes on by itself.") == true)
        }
    }

    @Test(arguments: Subject.remote, Trouble.allCases)
    func `trouble before publishing passes, and the photo is published once`(
        subject: Subject, trouble: Trouble
    ) async throws {
        for step in subject.preparingSteps {
            try await withScene(subject) { scene in
                scene.host?.fail(step, trouble.fault)

                let isReadByStatus = trouble == .malformed && subject.readByStatus.contains(step)
                #expect(await scene.meaningOfFirstFailure() == (isReadByStatus ? .published : .temporary), "\(step)")
                scene.journal.disarm()
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce, "\(step)")
            }
        }
    }

    @Test(arguments: Subject.remote, Trouble.allCases)
    func `trouble while publishing leaves an unknown outcome, which a look settles`(
        subject: Subject, trouble: Trouble
    ) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.publishingStep, trouble.fault)

            let isReadByStatus = trouble == .malformed && subject.readByStatus.contains(subject.publishingStep)
            #expect(await scene.meaningOfFirstFailure() == (isReadByStatus ? .published : .unknownOutcome))
            #expect(scene.journal.isArmed)
            let ending = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            guard case .done(let receipt) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(scene.publishedIDs == [receipt.remoteID])
        }
    }

    @Test(arguments: Subject.remote.filter { !$0.followingSteps.isEmpty }, Trouble.allCases)
    func `trouble after publishing passes, and the photo is published once`(
        subject: Subject, trouble: Trouble
    ) async throws {
        for step in subject.followingSteps {
            try await withScene(subject) { scene in
                scene.host?.fail(step, trouble.fault)

                let isReadByStatus = trouble == .malformed && subject.readByStatus.contains(step)
                let expected = isReadByStatus ? Meaning.published : .unknownOutcome
                #expect(await scene.meaningOfFirstFailure() == expected, "\(step)")
                let ending = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce, "\(step)")
                guard case .done(let receipt) = ending else {
                    Issue.record("\(step): \(ending)")
                    return
                }
                #expect(scene.publishedIDs == [receipt.remoteID], "\(step)")
            }
        }
    }

    @Test(arguments: Subject.remote)
    func `a publishing request that was answered with trouble is looked at when Retry-After says`(
        subject: Subject
    ) async throws {
        try await withScene(subject) { scene in
            scene.host?.fail(subject.publishingStep, .status(503, fields: ["Retry-After": "4000"]))

            #expect(await scene.pauseAfterUnknownOutcome() == .seconds(4000))
        }
    }

    @Test(arguments: Subject.remote)
    func `trouble that comes again and again never makes a second post`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            for trouble in [Trouble.resetAfter, .unavailable, .resetBefore, .malformed, .resetAfter, .malformed] {
                scene.host?.fail(subject.publishingStep, trouble.fault)
            }

            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: Subject.remote)
    func `a try that is cancelled in any step ends at once and leaves nothing double`(subject: Subject) async throws {
        for step in subject.steps {
            try await withScene(subject) { scene in
                scene.host?.fail(step, .slow)

                let work = Task { await scene.meaningOfFirstFailure() }
                await scene.host?.untilSlow()
                work.cancel()

                let isPublic = !subject.preparingSteps.contains(step)
                #expect(await work.value == (isPublic ? .unknownOutcome : .cancelled), "\(step)")
                scene.host?.stopHolding()
                _ = await PlayedQueue(scene: scene).work()
                #expect(scene.isPublishedOnce, "\(step)")
            }
        }
    }

    @Test(arguments: Subject.allCases)
    func `a submission that was cancelled is not published`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            scene.journal.cancel()

            #expect(await PlayedQueue(scene: scene).work() == .cancelled)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: Subject.allCases, [true, false])
    func `a worker that dies at any write of the journal stops, and the next one goes on`(
        subject: Subject, isKept: Bool
    ) async throws {
        var hasCrashed = true
        var write = 0
        while hasCrashed {
            try await withScene(subject) { scene in
                scene.journal.plan(MemoryJournal.Crash(write: write, isKept: isKept))

                let ending = await PlayedQueue(scene: scene).work()
                hasCrashed = scene.journal.hasCrashed
                #expect(ending == .crashed || !hasCrashed)
                scene.journal.plan(nil)
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce, "write \(write)")
                write += 1
            }
        }
        #expect(write > 2)
    }

    @Test(arguments: Subject.allCases)
    func `a receipt that was lost is found again`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            let first = await PlayedQueue(scene: scene).work()

            let second = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
            #expect(second == first)
        }
    }

    @Test(arguments: Subject.remote.filter(\.isRefreshing))
    func `credentials that have ended are renewed, and the photo is published`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            // Keys of OAuth 1.0a do not end.
            guard let end = scene.expiry else { return }
            scene.clock.advance(to: end.addingTimeInterval(1))

            #expect(await scene.meaningOfFirstFailure() == .unauthorized)
            scene.journal.disarm()
            try await scene.refreshCredentials()
            #expect(scene.expiry.map { $0 > scene.clock.now } == true)
            _ = await PlayedQueue(scene: scene).work()

            #expect(scene.isPublishedOnce)
        }
    }

    @Test(arguments: Subject.remote.filter(\.isDeleting))
    func `a post is taken back, and taking it back again is no error`(subject: Subject) async throws {
        try await withScene(subject) { scene in
            guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                Issue.record("not published")
                return
            }

            try await scene.delete(receipt)
            #expect(scene.publishedIDs.isEmpty)
            try await scene.delete(receipt)
        }
    }
}
