import Fakes
import Foundation
import Glibc
import HTTP
import TestPics
import Testing

/// Several `pics work` on one database, beside a `pics serve` that does no work itself.
struct WorkProcessesTests {
    @Test(.timeLimit(.minutes(10)))
    func `a process that joins and leaves in the middle costs nothing and doubles nothing`() async throws {
        let foreign = try await ForeignServices()
        try await withPics(["--no-workers"]) { pics in
            try await foreign.connect(to: pics)
            var environment = pics.environment
            environment["PICS_BASE_URL"] = pics.base
            func work() async throws -> PicsProcess {
                let process = try PicsProcess(["work"], environment: environment, folder: pics.folder)
                _ = try await process.line(beginning: "working on the queue")
                return process
            }
            var ids: [String] = []
            func post(_ count: Int) async throws {
                for _ in 0..<count {
                    let caption = "Photo \(ids.count)"
                    let response = try await pics.post(
                        CameraPhoto.jpeg(), caption: caption, ["services": "file,mastodon"])
                    ids.append(try #require(try JSONValue(parsing: response.body)["id"]?.string))
                }
            }

            try await post(8)
            let stays = [try await work(), try await work()]
            try await post(8)
            let leaves = try await work()
            try await post(8)
            leaves.signal(SIGTERM)
            #expect(await leaves.end().status == 0)
            try await post(8)

            for id in ids {
                #expect(try await pics.ended(id).allSatisfy { $0["state"]?.string == "done" })
            }
            let texts = foreign.mastodon.host.service.effects.map(\.text)
            #expect(texts.sorted() == ids.indices.map { "Photo \($0)" }.sorted())
            for process in stays {
                process.signal(SIGTERM)
                #expect(await process.end().status == 0)
            }
        }
        await foreign.stop()
    }
}
