import HTTP
import Postgres
import TestPics
import TestSupport
import Testing

/// Pics behind a pgbouncer.
@Suite(.enabled(if: Pooler.isInstalled, "pgbouncer is not installed"))
struct PoolerServiceTests {
    @Test(
        .timeLimit(.minutes(10)), arguments: [(Pooler.Mode.transaction, false), (.transaction, true), (.session, true)])
    func `photos are stored and arrive through a pooler`(mode: Pooler.Mode, knowsDirectWay: Bool) async throws {
        // In session mode each connection of a process keeps one.
        try await withPooledDatabase(mode, sessions: mode == .session ? 40 : 4) { direct, pooler in
            try await withFolder { folder in
                let settings = knowsDirectWay ? ["PICS_DATABASE_DIRECT_URL": direct.settings.connection] : [:]
                let pics = try await Pics.start(in: folder, database: pooler.connection, settings: settings)

                var photos: [String] = []
                for number in 0..<8 {
                    let response = try await pics.post(CameraPhoto.jpeg(number), caption: "Photo \(number)")
                    #expect(response.status == .created)
                    photos.append(try #require(try JSONValue(parsing: response.body)["id"]?.string))
                }

                for photo in photos {
                    #expect(try await pics.ended(photo).map { $0["state"]?.string } == ["done"])
                }
                #expect(try await pics.command("user", "list").status == 0)
                #expect(pics.process.logged.contains("only polled for") == !knowsDirectWay)
                #expect(await pics.stop() == 0)
            }
        }
    }
}
