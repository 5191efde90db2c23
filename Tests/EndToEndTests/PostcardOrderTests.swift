import EventLoops
import Fakes
import Foundation
import Glibc
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Cards on paper, ordered by real processes.
@Suite(.timeLimit(.minutes(10)))
struct PostcardOrderTests {
    @Test func `a card whose order was under way at kill -9 is ordered once`() async throws {
        let lob = try await FakeServer(FakeHost(FakeLob()), on: try EventLoop(name: "lob"))
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { folder in
                let settings = ["PICS_BASE_URL": "https://pics.example"]
                var pics = try await Pics.start(in: folder, database: database.settings.connection, settings: settings)
                let connected = try PicsProcess(
                    ["connect", "lob", "base_url=\(lob.url)", "price=0.87 USD"], environment: pics.environment,
                    folder: folder, input: "\(FakeLob.Options().key)\n")
                let ended = await connected.end()
                #expect(ended.status == 0, "\(connected.logged)")
                let accounts = try await pics.json("/v1/connections")["items"]?.array ?? []
                let account = try #require(accounts.first { $0["service"] == "lob" }?["id"]?.string)
                let posted = try JSONValue(
                    parsing: try await pics.post(CameraPhoto.jpeg(), caption: "A card", ["services": "file"]).body)
                let photo = try #require(posted["id"]?.string)
                let cards = "/v1/photos/\(photo)/postcards"

                let preview = try await pics.ask(
                    .post, "\(cards)/preview",
                    json: [
                        "account": .string(account), "format": "4x6", "message": "See you soon",
                        "recipient": [
                            "name": "Zerlina Quast", "line1": "1600 Birch Lane", "city": "Wichita", "region": "KS",
                            "postal_code": "67202", "country": "US",
                        ],
                    ])
                #expect(preview.status == .ok)
                lob.host.fail("POST /v1/postcards", .slow)
                let order = try await pics.ask(.post, cards, json: try JSONValue(parsing: preview.body)["order"])
                #expect(order.status == .created)
                let id = try #require(try JSONValue(parsing: order.body)["id"]?.string)
                await lob.host.untilSlow()
                pics.process.signal(SIGKILL)
                _ = await pics.process.end()
                lob.host.releaseSlow()

                // Instead of the five minutes for which a process may be frozen.
                try await database.execute(Query("due", "UPDATE print_orders SET lease_until = now()"))
                pics = try await Pics.start(in: folder, database: database.settings.connection, settings: settings)
                var told: JSONValue = .null
                try await until {
                    told = try await pics.json("/v1/postcards/\(id)")
                    return told["state"] != "waiting"
                }
                #expect(["ordered", "in_production"].contains(told["state"]?.string ?? ""), "\(told)")
                #expect(lob.host.service.effects.count == 1)
                let status = await pics.stop()
                #expect(status == 0)
            }
        }
        await lob.stop()
    }
}
