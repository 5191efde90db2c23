internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

// Failures and their outcomes.
extension ConformanceTests {
    struct Failures {
        @Test(arguments: Subject.each(Refusal.allCases))
        func `a refusal to publish says what happens next, and publishes nothing`(
            subject: Subject, refusal: Refusal
        ) async throws {
            subject.shows(Showing(refusal))
            try await withScene(subject) { scene in
                scene.host?.fail(subject.publishingStep, .status(refusal.rawValue))

                let meaning = await scene.meaningOfFirstFailure()

                #expect(meaning == refusal.meaning(at: subject))
                #expect(scene.publishedIDs.isEmpty)
            }
        }

        @Test(arguments: Subject.each(Refusal.allCases))
        func `a refusal before publishing publishes nothing, and does not stand in the way of a later try`(
            subject: Subject, refusal: Refusal
        ) async throws {
            for step in subject.preparingSteps {
                try await withScene(subject) { scene in
                    scene.host?.fail(step, .status(refusal.rawValue))

                    let meaning = await scene.meaningOfFirstFailure()
                    #expect(meaning != .unknownOutcome, "\(step)")
                    if meaning != .published { #expect(scene.publishedIDs.isEmpty, "\(step)") }
                    scene.journal.disarm()
                    _ = await PlayedQueue(scene: scene).work()

                    #expect(scene.isPublishedOnce, "\(step)")
                }
            }
        }

        @Test(arguments: Subject.remote.filter(\.isRefreshing))
        func `credentials that the service no longer takes are renewed, and the photo is published`(
            subject: Subject
        ) async throws {
            for step in subject.preparingSteps + [subject.publishingStep] {
                try await withScene(subject) { scene in
                    // Keys of OAuth 1.0a, and some tokens, do not end.
                    guard scene.expiry != nil else { return }
                    subject.shows(.renewed401)
                    scene.host?.fail(step, .status(401))

                    #expect(await scene.meaningOfFirstFailure() == .unauthorized, "\(step)")
                    scene.journal.disarm()
                    // Such credentials are not renewed on their first day.
                    if subject.isRenewedEarly { scene.clock.advance(by: .seconds(25 * 3600)) }
                    try await scene.refreshCredentials()
                    _ = await PlayedQueue(scene: scene).work()

                    #expect(scene.isPublishedOnce, "\(step)")
                }
            }
        }

        @Test(arguments: Subject.remote)
        func `an answer that comes slowly is waited for`(subject: Subject) async throws {
            subject.shows(.slow)
            for step in subject.steps {
                try await withScene(subject) { scene in
                    scene.host?.fail(step, .slow)

                    let work = Task { await PlayedQueue(scene: scene).work() }
                    await scene.host?.untilSlow()
                    scene.host?.stopHolding()
                    guard case .done = await work.value else {
                        Issue.record("\(step)")
                        return
                    }

                    #expect(scene.isPublishedOnce, "\(step)")
                }
            }
        }

        @Test(arguments: Subject.remote.filter { $0.reasons[.limitWithPause] == nil })
        func `a limit holds until Retry-After says`(subject: Subject) async throws {
            subject.shows(.limitWithPause)
            try await withScene(subject) { scene in
                scene.host?.fail(subject.steps[0], .status(429, fields: ["Retry-After": "40"]))

                let limit = await limitMet { try await scene.submit() }

                #expect(limit?.scope == .account)
                #expect(limit?.until == scene.clock.now.addingTimeInterval(40))
                #expect(limit?.problem.status == 429)
                #expect(limit?.problem.problem.text.hasSuffix("Retrying at 2026-11-21 19:42 UTC.") == true)
            }
        }

        @Test(arguments: Subject.remote)
        func `a limit without Retry-After leaves the pause to the queue`(subject: Subject) async throws {
            subject.shows(.limitWithoutPause)
            try await withScene(subject) { scene in
                scene.host?.fail(subject.steps[0], .status(429))

                let limit = await limitMet { try await scene.submit() }

                #expect(limit?.scope == .account)
                #expect(limit?.until == nil)
                #expect(limit?.problem.problem.text.hasSuffix("Pics retries automatically.") == true)
            }
        }

        @Test(arguments: Subject.each(Trouble.allCases))
        func `trouble before publishing passes, and the photo is published once`(
            subject: Subject, trouble: Trouble
        ) async throws {
            for step in subject.preparingSteps {
                try await withScene(subject) { scene in
                    scene.host?.fail(step, trouble.fault)

                    let isReadByStatus = trouble == .malformed && subject.readByStatus.contains(step)
                    #expect(
                        await scene.meaningOfFirstFailure() == (isReadByStatus ? .published : .temporary), "\(step)")
                    scene.journal.disarm()
                    _ = await PlayedQueue(scene: scene).work()

                    #expect(scene.isPublishedOnce, "\(step)")
                }
            }
        }

        @Test(arguments: Subject.each(Trouble.allCases))
        func `trouble while publishing leaves an unknown outcome, which a look settles`(
            subject: Subject, trouble: Trouble
        ) async throws {
            subject.shows(Showing(trouble))
            try await withScene(subject) { scene in
                scene.host?.fail(subject.publishingStep, trouble.fault)

                if subject.clearTrouble.contains(trouble) {
                    #expect(await scene.meaningOfFirstFailure() == .temporary)
                    #expect(scene.publishedIDs.isEmpty)
                    scene.journal.disarm()
                    _ = await PlayedQueue(scene: scene).work()
                    #expect(scene.isPublishedOnce)
                    return
                }
                let isReadByStatus = trouble == .malformed && subject.readByStatus.contains(subject.publishingStep)
                #expect(await scene.meaningOfFirstFailure() == (isReadByStatus ? .published : .unknownOutcome))
                #expect(scene.journal.isArmed)
                let ending = await PlayedQueue(scene: scene).work()

                guard subject.tellsOutcome || isReadByStatus else {
                    #expect(ending == .unknown)
                    #expect(scene.publishedIDs.count == (trouble.hasActed ? 1 : 0))
                    return
                }
                if trouble == .resetAfter { subject.shows(.reconcile) }
                #expect(scene.isPublishedOnce)
                guard case .done(let receipt) = ending else {
                    Issue.record("\(ending)")
                    return
                }
                #expect(scene.publishedIDs == [receipt.remoteID])
            }
        }

        @Test(arguments: Subject.each(Trouble.allCases) { !$0.followingSteps.isEmpty })
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

        @Test(arguments: Subject.remote.filter(\.tellsPause))
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
        func `a try that is cancelled in any step ends at once and leaves nothing double`(subject: Subject) async throws
        {
            subject.shows(.cancelledStep)
            for step in subject.steps {
                try await withScene(subject) { scene in
                    scene.host?.fail(step, .slow)

                    let work = Task { await scene.meaningOfFirstFailure() }
                    await scene.host?.untilSlow()
                    work.cancel()

                    let isPublic = !subject.preparingSteps.contains(step)
                    #expect(await work.value == (isPublic ? .unknownOutcome : .cancelled), "\(step)")
                    scene.host?.stopHolding()
                    let ending = await PlayedQueue(scene: scene).work()
                    #expect(scene.isPublishedOnce, "\(step)")
                    if isPublic, !subject.tellsOutcome { #expect(ending == .unknown) }
                }
            }
        }

        @Test(arguments: Subject.allCases, [true, false])
        func `a worker that dies at any write of the journal stops, and the next one goes on`(
            subject: Subject, isKept: Bool
        ) async throws {
            subject.shows(.crashedStep)
            var hasCrashed = true
            var write = 0
            while hasCrashed {
                try await withScene(subject) { scene in
                    scene.journal.plan(MemoryJournal.Crash(write: write, isKept: isKept))

                    let ending = await PlayedQueue(scene: scene).work()
                    hasCrashed = scene.journal.hasCrashed
                    #expect(ending == .crashed || !hasCrashed)
                    scene.journal.plan(nil)
                    let end = await PlayedQueue(scene: scene).work()

                    if end == .unknown, !subject.tellsOutcome {
                        #expect(scene.publishedIDs.count <= 1, "write \(write)")
                    } else {
                        #expect(scene.isPublishedOnce, "write \(write)")
                    }
                    write += 1
                }
            }
            #expect(write > 1)
        }

        @Test(arguments: Subject.remote.filter { $0.companions > 0 && !$0.sendsAllAnew })
        func `a worker that dies between the pictures of a post lets none be uploaded twice that is written down`(
            subject: Subject
        ) async throws {
            subject.shows(.several)
            var hasCrashed = true
            var write = 0
            while hasCrashed {
                try await withScene(subject) { scene in
                    scene.journal.plan(MemoryJournal.Crash(write: write, isKept: true))
                    _ = await PlayedQueue(scene: scene).work()
                    hasCrashed = scene.journal.hasCrashed
                    scene.journal.plan(nil)

                    _ = await PlayedQueue(scene: scene).work()

                    #expect(scene.isPublishedOnce, "write \(write)")
                    let asked = 1 + subject.companions + (subject.joinsPictures ? 1 : 0)
                    #expect(scene.requests(of: subject.steps[0]) == asked, "write \(write)")
                    write += 1
                }
            }
            #expect(write > subject.companions + 1)
        }
    }
}
