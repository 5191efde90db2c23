import Fakes
import Foundation
import Glibc
import HTTP
import TestPics
import TestTools
import Testing

struct CrashTests {
    /// Photos for Twitter are few: its lane starts one in five seconds.
    private static let services = ["file,mastodon", "file,mastodon", "file,mastodon,twitter"]

    @Test(.timeLimit(.minutes(10)))
    func `after kill -9 of Pics and of its PostgreSQL every photo with a 201 is there and posted once`() async throws {
        let foreign = try await ForeignServices()
        try await withFolder { folder in
            let settings = ["PICS_BASE_URL": "https://pics.example"]
            var pics = try await Pics.start(in: folder, database: nil, settings: settings)
            try await foreign.connect(to: pics)
            var acknowledged: [String: String] = [:]

            for round in 0..<4 {
                let stored = try await post(12, from: round * 12, to: pics, killingAfter: 3, kind: round)
                acknowledged.merge(stored) { first, _ in first }
                _ = await pics.process.end()
                pics = try await Pics.start(in: folder, database: nil, settings: settings)
            }

            #expect(acknowledged.count >= 8)
            for (id, caption) in acknowledged {
                #expect(try await pics.json("/v1/photos/\(id)")["caption"]?.string == caption)
                let ended = try await pics.ended(id)
                #expect(ended.allSatisfy { $0["state"]?.string == "done" }, "\(ended)")
                for submission in ended where submission["service"]?.string == "mastodon" {
                    #expect(foreign.mastodon.host.service.effects.count { $0.text == caption } == 1)
                }
                for submission in ended where submission["service"]?.string == "twitter" {
                    #expect(foreign.twitter.host.service.effects.count { $0.text == caption } == 1)
                }
            }
            for effects in [foreign.mastodon.host.service.effects, foreign.twitter.host.service.effects] {
                #expect(Set(effects.map(\.text)).count == effects.count, "something was posted twice")
            }
            #expect(await pics.stop() == 0)
        }
        await foreign.stop()
    }

    /// The short form of `pics-bench crash`, whose long form kills a thousand times.
    @Test(.timeLimit(.minutes(10)), .disabled(if: isSanitized))
    func `workers that are killed at every point of their work publish everything once`() async throws {
        let (status, output) = try await MeasuringProgram.run(
            "crash", "--submissions", "180", "--kills", "12", "--workers", "2")

        #expect(status == 0, "\(output)")
        #expect(output.contains("every effect once"), "\(output)")
    }

    /// The short form of `pics-bench lost-answers`, whose long form posts 300 photos.
    @Test(.timeLimit(.minutes(10)), .disabled(if: isSanitized))
    func `where posts can be listed, a lost answer leaves nothing unknown and nothing doubled`() async throws {
        let (status, output) = try await MeasuringProgram.run("lost-answers", "--submissions", "40")

        #expect(status == 0, "\(output)")
        #expect(output.contains("every effect once"), "\(output)")
    }

    /// Posts photos, two at a time, and kills after some were acknowledged; gives id and caption of the acknowledged.
    private func post(
        _ count: Int, from first: Int, to pics: Pics, killingAfter limit: Int, kind: Int
    ) async throws -> [String: String] {
        await withTaskGroup(of: [String: String].self) { group in
            for half in 0..<2 {
                group.addTask {
                    var stored: [String: String] = [:]
                    for number in stride(from: first + half, to: first + count, by: 2) {
                        let caption = "photo \(number)"
                        let fields = ["services": Self.services[number % Self.services.count]]
                        guard let response = try? await pics.post(CameraPhoto.jpeg(number), caption: caption, fields)
                        else { break }
                        if response.status == .created, let id = try? JSONValue(parsing: response.body)["id"]?.string {
                            stored[id] = caption
                        }
                        if half == 0, stored.count == limit { kill(kind, pics) }
                    }
                    return stored
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    /// Even rounds kill Pics, odd ones its PostgreSQL first.
    private func kill(_ kind: Int, _ pics: Pics) {
        if kind % 2 == 1,
            let file = try? String(contentsOfFile: "\(pics.folder)/data/postgres/postmaster.pid", encoding: .utf8),
            let postmaster = file.split(separator: "\n").first.flatMap({ pid_t($0) })
        {
            Glibc.kill(postmaster, SIGKILL)
        }
        pics.process.signal(SIGKILL)
    }
}
