internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import TestTools
internal import Testing

// How an account comes and goes.
extension ConformanceTests {
    struct Accounts {
        @Test(arguments: Subject.entered + Subject.consents)
        func `an account is connected, and a photo arrives there`(subject: Subject) async throws {
            subject.shows(.connect)
            try await withScene(subject) { scene in
                #expect(!scene.identity.remoteID.isEmpty && !scene.identity.name.isEmpty)

                _ = await PlayedQueue(scene: scene).work()

                #expect(scene.isPublishedOnce)
            }
        }

        @Test(arguments: Subject.consents)
        func `who agrees once more, and who enters what they have, connect the same account`(
            subject: Subject
        ) async throws {
            subject.shows(.connect)
            try await withScene(subject) { scene in
                let agreed = try await scene.connect()
                let entered = try await scene.connect(with: [:])

                #expect([agreed.remoteID, entered.remoteID] == [scene.identity.remoteID, scene.identity.remoteID])
                #expect(agreed.name == scene.identity.name)
            }
        }

        @Test(arguments: Subject.entered)
        func `no account is connected by a wrong secret`(subject: Subject) async throws {
            subject.shows(.connect)
            try await withScene(subject) { scene in
                for field in scene.submitter.description.credentialFields where field.isSecret {
                    guard scene.entries[field.name]?.isEmpty == false else { continue }

                    let problem = await refusal { try await scene.connect(with: [field.name: "wrong"]) }

                    // There is no photo yet, and nothing to connect again.
                    let sentence = problem?.problem.whenConnecting.text ?? "again"
                    #expect(!sentence.contains("again") && !sentence.contains("photo"), "\(sentence)")
                }
            }
        }

        @Test(arguments: Subject.consents)
        func `no account is connected by a proof that the service has not given`(subject: Subject) async throws {
            subject.shows(.connect)
            try await withScene(subject) { scene in
                let browser = try #require(scene.browser)
                let submitter = try #require(scene.submitter as? any OAuthSubmitter)
                for name in ["code", "oauth_verifier"] {
                    guard let begun = try await browser.agree(submitter, forging: name) else { continue }

                    let meaning = await meaning { try await browser.finish(submitter, begun) }

                    #expect(meaning == .unauthorized || meaning == .rejected)
                }
            }
        }

        @Test(arguments: Subject.entered + Subject.consents)
        func `a disconnected account is let in no more where the service can be told, also when it is told twice`(
            subject: Subject
        ) async throws {
            try await withScene(subject) { scene in
                let before = scene.host?.requests.count
                try await scene.revoke()
                // A token that a person has entered may belong to an app that Pics does not know.
                guard scene.host?.requests.count != before else {
                    #expect(await scene.meaningOfFirstFailure() == .published)
                    return
                }
                subject.shows(.revoke)
                try await scene.revoke()

                #expect(await scene.meaningOfFirstFailure() == .unauthorized)
                #expect(scene.publishedIDs.isEmpty)
                guard scene.expiry != nil else { return }
                #expect(await meaning { try await scene.refreshCredentials() } == .unauthorized)
            }
        }

        @Test(arguments: (Subject.remote + Subject.consents).filter(\.isRefreshing))
        func `an account whose token has ended meanwhile is disconnected for good`(subject: Subject) async throws {
            try await withScene(subject) { scene in
                guard let end = scene.expiry, scene.submitter is any RevokingSubmitter else { return }
                scene.clock.advance(to: end.addingTimeInterval(1))
                let before = scene.host?.requests.count

                try await scene.revoke()

                guard scene.host?.requests.count != before else { return }
                subject.shows(.revoke)
                #expect(await meaning { try await scene.refreshCredentials() } == .unauthorized)
            }
        }

        @Test(arguments: Subject.entered + Subject.consents)
        func `a service that is away while an account is disconnected is told later`(subject: Subject) async throws {
            let route = Lock("")
            try await withScene(subject) { scene in
                let before = scene.host?.requests.count ?? 0
                try await scene.revoke()
                // Where there is nothing to revoke, a goodbye of what was said before may still arrive.
                guard scene.submitter is any RevokingSubmitter else { return }
                route.withLock { $0 = scene.host?.requests.dropFirst(before).first?.route ?? "" }
            }
            guard case let route = route.withLock({ $0 }), !route.isEmpty else { return }
            subject.shows(.revoke)
            for fault in [Fault.status(503), .resetBefore] {
                try await withScene(subject) { scene in
                    scene.host?.fail(route, fault)

                    #expect(await meaning { try await scene.revoke() } == .temporary)
                    try await scene.revoke()

                    #expect(await scene.meaningOfFirstFailure() == .unauthorized)
                }
            }
        }
    }
}
