import EventLoops
import Fakes
import Foundation
import Glibc
import HTTP
import System
import TestPics
import TestTools
import Testing

/// A PostgreSQL with a standby, of which the first is lost.
@Suite(.timeLimit(.minutes(10)))
struct FailoverTests {
    @Test
    func `when the primary is killed and its standby promoted, nothing is lost, nothing doubled, and work goes on`()
        async throws
    {
        let fake = try await FakeServer(FakeHost(FakeMastodon()), on: try EventLoop(name: "fake"))
        try await withFolder { folder in
            let pair = try await PostgresPair(in: folder)
            let pics = try await Pics.start(in: folder, database: pair.connection)
            _ = try await pics.connectMastodon(fake)
            let ids = Lock<[String]>([])
            let isDone = Lock(false)
            // A phone that tries again, with the same key, until its photo is confirmed.
            let phone = Task {
                var number = 0
                while !isDone.withLock({ $0 }) {
                    let photo = CameraPhoto.jpeg(number)
                    let response = try? await pics.post(
                        photo, caption: "Photo \(number)", ["services": "mastodon"],
                        with: ["Idempotency-Key": "\"photo-\(number)\""])
                    guard let response, response.status == .created,
                        let id = try? JSONValue(parsing: response.body)["id"]?.string
                    else { continue }
                    ids.withLock { $0.append(id) }
                    number += 1
                }
            }
            await until { ids.withLock { $0.count } >= 5 }
            try await pair.killFirst()
            let before = ids.withLock { $0.count }
            try await pair.promoteSecond()
            await until { ids.withLock { $0.count } >= before + 5 }
            isDone.withLock { $0 = true }
            await phone.value

            let all = ids.withLock { $0 }
            #expect(Set(all).count == all.count)
            for id in all { #expect(try await pics.ended(id).map { $0["state"]?.string } == ["done"]) }
            // What was not confirmed may be there, too: once.
            let texts = fake.host.service.effects.map(\.text)
            #expect(texts.count == Set(texts).count)
            #expect(Set(texts).isSuperset(of: all.indices.map { "Photo \($0)" }))
            #expect(try await pics.send(.get, "/readyz", isAnonymous: true).status == .ok)
            #expect(await pics.stop() == 0)
            try await pair.stop()
        }
        await fake.stop()
    }
}
