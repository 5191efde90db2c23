internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

/// The rules that every service has to keep, whatever goes wrong on the way.
///
/// The results of the run are the table of `docs/services/README.md`.
@Suite(.compactMapIssues(Evidence.sees), .recorded)
enum ConformanceTests {}

// Abilities.
extension ConformanceTests {
    struct Behaviours {
        @Test(arguments: Subject.allCases + Subject.videosApart)
        func `a photo is published once, as it was given, and the receipt names it`(subject: Subject) async throws {
            subject.shows(subject.isVideo ? .video : subject.companions > 0 ? .several : .photo)
            try await withScene(subject) { scene in
                let ending = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
                guard case .done(let receipt) = ending else {
                    Issue.record("\(ending)")
                    return
                }
                #expect(scene.publishedIDs == [receipt.remoteID])
                // A post without an address has an empty one at the fake.
                #expect(receipt.url ?? "" == scene.host?.service.effects.first?.url ?? "")
                #expect(receipt.text == nil)
            }
        }

        @Test(arguments: Subject.allCases.filter(\.hasAltText))
        func `an alternative text goes along`(subject: Subject) async throws {
            subject.shows(.altText)
            try await withScene(subject) { scene in
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.publishedAltTexts == scene.altTexts)
            }
        }

        @Test(arguments: Subject.allCases)
        func `progress is of the photo's bytes, never of more, and does not go back`(subject: Subject) async throws {
            try await withScene(subject) { scene in
                _ = await PlayedQueue(scene: scene).work()

                let progress = scene.progress.withLock { $0 }
                #expect(!progress.isEmpty)
                #expect(progress.allSatisfy { $0.total == scene.bytes && 0...scene.bytes ~= $0.sent })
                #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.sent <= $1.sent })
            }
        }

        @Test(arguments: Subject.allCases.filter(\.hasAlbums))
        func `an album is made, told and chosen, and the photo lies there`(subject: Subject) async throws {
            subject.shows(.album)
            try await withScene(subject) { scene in
                let album = try #require(try await scene.createAlbum("Lakes in autumn"))
                scene.choose(["album": .string(album.id)])

                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
                #expect(scene.host?.service.albumNames == ["Lakes in autumn"])
                #expect(try await scene.albumNames().contains("Lakes in autumn"))
            }
        }

        @Test(
            arguments: Subject.remote.filter {
                ["flickr", "evernote", "fotolife", "micropub", "nostr"].contains($0.service)
            })
        func `where a photo was taken is told when its owner lets it`(subject: Subject) async throws {
            subject.shows(.position)
            try await withScene(subject, position: Position(latitude: 47.5, longitude: 8.25)) { scene in
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.host?.service.positions == ["47.5 8.25"])
            }
        }

        @Test(arguments: Subject.remote)
        func `nothing tells where a photo was taken unless its owner lets it`(subject: Subject) async throws {
            try await withScene(subject) { scene in
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.host?.service.positions == [])
            }
        }

        @Test(arguments: Subject.remote.filter(\.isEditing))
        func `other words take the place of those that were posted, once or twice`(subject: Subject) async throws {
            subject.shows(.edit)
            try await withScene(subject) { scene in
                guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                    Issue.record("not published")
                    return
                }

                for _ in 0..<2 {
                    try await scene.edit(receipt, text: "Fog & sun", altText: "A lake")
                    #expect(scene.host?.service.effects.map(\.text) == ["Fog & sun"])
                    #expect(scene.host?.service.effects.first?.media.count == 1 + subject.companions)
                    #expect(scene.publishedAltTexts.dropFirst() == scene.altTexts.dropFirst())
                }
            }
        }

        @Test(arguments: Subject.remote.filter(\.isCounting))
        func `what people have done is counted until the post is gone`(subject: Subject) async throws {
            subject.shows(.counts)
            try await withScene(subject) { scene in
                guard case .done(let receipt) = await PlayedQueue(scene: scene).work() else {
                    Issue.record("not published")
                    return
                }

                let counts = try #require(try await scene.engagement(receipt))
                #expect(counts.likes != nil || counts.comments != nil)
                // What no program deletes, its own tests let vanish.
                guard subject.isDeleting else { return }
                try await scene.delete(receipt)
                #expect(await meaning { try await scene.engagement(receipt) } == .gone)
            }
        }

        @Test(arguments: Subject.remote.filter(\.isResuming))
        func `a file that has arrived is not sent again`(subject: Subject) async throws {
            subject.shows(.resume)
            try await withScene(subject) { scene in
                scene.host?.fail(subject.publishingStep, .status(429))
                #expect(await scene.meaningOfFirstFailure() == .limited)
                scene.journal.disarm()
                let sent = scene.requests(of: subject.steps[0])

                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
                #expect(sent > 0)
                #expect(scene.requests(of: subject.steps[0]) == sent)
            }
        }

        @Test(arguments: Subject.allCases)
        func `a submission that was cancelled is not published`(subject: Subject) async throws {
            subject.shows(.cancel)
            try await withScene(subject) { scene in
                scene.journal.cancel()

                #expect(await PlayedQueue(scene: scene).work() == .cancelled)
                #expect(scene.publishedIDs.isEmpty)
            }
        }

        @Test(arguments: Subject.allCases)
        func `a receipt that was lost is found again`(subject: Subject) async throws {
            if subject.tellsOutcome { subject.shows(.reconcile) }
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
                subject.shows(.refresh)
                scene.clock.advance(to: end.addingTimeInterval(1))

                if !subject.isRenewedEarly {
                    #expect(await scene.meaningOfFirstFailure() == .unauthorized)
                    scene.journal.disarm()
                }
                try await scene.refreshCredentials()
                #expect(scene.expiry.map { $0 > scene.clock.now } == true)
                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
            }
        }

        @Test(arguments: Subject.remote.filter(\.isDeleting))
        func `a post is taken back, and taking it back again is no error`(subject: Subject) async throws {
            subject.shows(.delete)
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
}
