import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import TestSupport
import Testing

/// The fakes of the services, and what an operator types to connect them.
struct ForeignServices {
    let mastodon: FakeServer
    let twitter: FakeServer

    init() async throws {
        let loop = try EventLoop(name: "fakes")
        mastodon = try await FakeServer(FakeHost(FakeMastodon()), on: loop)
        twitter = try await FakeServer(FakeHost(FakeTwitter()), on: loop)
    }

    func connect(to pics: Pics) async throws {
        let first = try await pics.command("connect", "mastodon", "base_url=\(mastodon.url)", input: "mastodon-token\n")
        let second = try await pics.command(
            "connect", "TwitterPhotoSubmitter", "consumer_key=consumer-key", "access_token=4711-access-token",
            "base_url=\(twitter.url)", input: "consumer-secret\naccess-token-secret\n")
        #expect(first.status == 0 && second.status == 0, "\(first.output)\(second.output)")
    }

    func stop() async {
        await mastodon.stop()
        await twitter.stop()
    }
}

struct OnePhotoTests {
    private static let caption =
        "The light this morning over the harbour 🌅👨‍👩‍👧‍👦 was of the kind that makes you stop, put the coffee down and forget "
        + "that you had a train to catch. See https://example.com/harbour/morning for the map, and #stockholm for more of "
        + "it. The ferry came in late, nobody minded, and the gulls 🐦 had the quay to themselves until the fish market "
        + "opened and everybody else remembered what they had come for, as one does on days like these."

    @Test(.timeLimit(.minutes(10)))
    func `one photo with a long caption is stored, cut, linked, fanned out and reported`() async throws {
        let services = try await ForeignServices()
        try await withPics(settings: ["PICS_SHORT_BASE_URL": "https://p.example"]) { pics in
            try await services.connect(to: pics)
            let response = try await pics.post(CameraPhoto.jpeg(), caption: Self.caption, ["alt_text": "A harbour"])
            let photo = try JSONValue(parsing: response.body)
            let id = try #require(photo["id"]?.string)
            let code = try #require(photo["code"]?.string)

            #expect(response.status == .created)
            #expect(photo["width"]?.int == 48 && photo["height"]?.int == 64)
            #expect(photo["location"]?["latitude"]?.double == 59.3293)
            #expect(photo["taken_at"]?.string == "2026-11-20T10:11:12.000+01:00")

            let ended = try await pics.ended(id)
            #expect(ended.compactMap { $0["service"]?.string } == ["file", "mastodon", "twitter"])
            #expect(ended.allSatisfy { $0["state"]?.string == "done" }, "\(ended)")
            let counted = try await pics.change("SELECT FROM submissions WHERE count_at IS NOT NULL")
            #expect(counted == 2, "likes are read back from Mastodon and Twitter, a file has none")

            let tweet = try #require(services.twitter.host.service.effects.first)
            #expect(tweet.text.hasSuffix("… https://p.example/\(code)"))
            #expect(ended[2]["cut"]?.bool == true)
            #expect(try #require(ended[2]["length"]?.int) <= 140)
            #expect(ended[2]["remote_url"]?.string?.hasSuffix(tweet.id) == true)
            let toot = try #require(services.mastodon.host.service.effects.first)
            #expect(toot.text == Self.caption)
            for media in tweet.media + toot.media { #expect(media.altText == "A harbour") }

            let archive = "\(pics.folder)/data/archive/admin/2026/2026-11-20_101112_\(code).jpg"
            #expect(FileManager.default.fileExists(atPath: archive))
            let sidecar = try String(contentsOfFile: archive + ".xmp", encoding: .utf8)
            #expect(sidecar.contains("https://p.example/\(code)"))

            try await expectPage(pics, code: code, id: id)
            try await expectStatus(pics)
        }
        await services.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a private photo that names no service is archived and published nowhere`() async throws {
        let services = try await ForeignServices()
        try await withPics { pics in
            try await services.connect(to: pics)

            let response = try await pics.post(CameraPhoto.jpeg(), caption: "my diary", ["visibility": "private"])

            let photo = try JSONValue(parsing: response.body)
            #expect(photo["submissions"]?.array?.compactMap { $0["service"]?.string } == ["file"])
        }
        await services.stop()
    }

    private func expectPage(_ pics: Pics, code: String, id: String) async throws {
        let page = try await pics.send(.get, "/\(code)", accept: "text/html", isAnonymous: true)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == .ok)
        #expect(text.contains("as one does on days like these."))
        #expect(text.contains("og:image"))

        let picture = try await pics.send(.get, "/m/\(code)/medium.jpg", isAnonymous: true)
        #expect(picture.fields["Content-Type"] == "image/jpeg")
        #expect(picture.body.firstRange(of: Array("GPS".utf8)) == nil)

        let anonymous = try JSONValue(parsing: try await pics.send(.get, "/\(code)", isAnonymous: true).body)
        #expect(anonymous["location"]?.isNull == true && anonymous["submissions"] == nil)

        #expect(try JSONValue(parsing: try await pics.send(.put, "/v1/photos/\(id)/like").body)["count"]?.int == 1)
        #expect(try JSONValue(parsing: try await pics.send(.put, "/v1/photos/\(id)/like").body)["count"]?.int == 1)
        #expect(try await pics.json("/v1/photos/\(id)/likes")["items"]?[0]?["user"]?.string == "admin")

        #expect(try await pics.send(.delete, "/v1/photos/\(id)").status == .noContent)
        #expect(try await pics.send(.get, "/\(code)", isAnonymous: true).status.code == 410)
        #expect(try await pics.send(.get, "/m/\(code)/medium.jpg", isAnonymous: true).status.code == 410)
    }

    private func expectStatus(_ pics: Pics) async throws {
        let status = try await pics.json("/status")
        let services = status["services"]?.array ?? []
        #expect(services.compactMap { $0["service"]?.string } == ["file", "mastodon", "twitter"])
        #expect(services.allSatisfy { $0["submissions"]?["done"]?.int == 1 })
        #expect(try await pics.send(.get, "/readyz", isAnonymous: true).status == .ok)
        let metrics = String(decoding: try await pics.send(.get, "/metrics", isAnonymous: true).body, as: UTF8.self)
        #expect(metrics.contains("pics_submissions{service=\"twitter\",state=\"done\"} 1"))
    }
}
