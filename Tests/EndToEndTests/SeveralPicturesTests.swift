import EventLoops
import Fakes
import Foundation
import HTTP
import TestPics
import Testing

/// Several photos in one post.
struct SeveralPicturesTests {
    @Test(.timeLimit(.minutes(10)))
    func `three photos are one post where services take several pictures, and one file where not`() async throws {
        let services = try await ForeignServices()
        let bluesky = try await FakeServer(FakeHost(FakeBluesky()), on: try EventLoop(name: "bluesky"))
        try await withPics { pics in
            try await services.connect(to: pics)
            let connected = try await pics.call(
                .post, "/v1/connections",
                [
                    "service": "bluesky",
                    "fields": [
                        "base_url": .string(bluesky.url), "identifier": "alice.test", "password": "app-pass-word-1234",
                    ],
                ])
            #expect(connected.status == 201, "\(connected.json)")
            let second = try await pics.store(2, altText: "Second", visibility: "unlisted")
            let third = try await pics.store(3, altText: "Third")

            let response = try await pics.post(
                CameraPhoto.jpeg(1), caption: "Three boats", ["alt_text": "First", "with": "\(second.id), \(third.id)"])

            let photo = try JSONValue(parsing: response.body)
            #expect(response.status == .created)
            #expect(photo["with"]?.array?.compactMap(\.string) == [second.id, third.id])
            let ended = try await pics.ended(try #require(photo["id"]?.string))
            #expect(ended.compactMap { $0["service"]?.string } == ["bluesky", "file", "mastodon", "twitter"])
            #expect(ended.allSatisfy { $0["state"]?.string == "done" }, "\(ended)")
            for service in [services.twitter, services.mastodon, bluesky] {
                let effects = service.host.service.effects
                #expect(effects.count == 1)
                #expect(effects.first?.text == "Three boats")
                #expect(effects.first?.media.map(\.altText) == ["First", "Second", "Third"])
            }
            let names = FileManager.default.enumerator(atPath: "\(pics.folder)/data/archive")?
                .compactMap { $0 as? String }.filter { $0.hasSuffix(".jpg") }
            #expect(names?.count == 1)
            let page = try await pics.send(
                .get, "/\(photo["code"]?.string ?? "")", accept: "text/html", isAnonymous: true)
            let text = String(decoding: page.body, as: UTF8.self)
            for (code, altText) in [(second.code, "Second"), (third.code, "Third")] {
                #expect(text.contains("src=\"/m/\(code)/medium.jpg"))
                #expect(text.contains("alt=\"\(altText)\" loading=\"lazy\""))
            }
        }
        await services.stop()
        await bluesky.stop()
    }

    @Test(.timeLimit(.minutes(10)))
    func `what cannot go along is refused by its place, in a form and of an upload, and nothing is stored`()
        async throws
    {
        try await withPics { pics in
            let own = try await pics.store(1)
            let hidden = try await pics.store(2, visibility: "private")
            let movie = try await Film.make("film.mp4", in: pics.folder)
            let film = try await pics.post(movie, caption: "", ["services": "none"])
            let video = try #require(try JSONValue(parsing: film.body)["id"]?.string, "\(film.status)")
            let guest = try await pics.addUser("bob")
            let deleted = try await pics.store(3)
            #expect(try await pics.send(.delete, "/v1/photos/\(deleted.id)").status == .noContent)
            let before = try await pics.json("/v1/photos?limit=100")["items"]?.array?.count

            for (with, pointer) in [
                ("nothing", "#/with/0"), (UUID().uuidString.lowercased(), "#/with/0"),
                ("\(own.id),\(own.id)", "#/with/1"), ("\(own.id),\(video)", "#/with/1"),
                ("\(own.id),\(hidden.id)", "#/with/1"), (deleted.id, "#/with/0"),
                ((0..<20).map { _ in UUID().uuidString.lowercased() }.joined(separator: ","), "#/with"),
            ] {
                let form = try await pics.post(CameraPhoto.jpeg(9), caption: "", ["with": with])
                #expect(form.status == .badRequest)
                #expect(try JSONValue(parsing: form.body)["errors"]?[0]?["pointer"]?.string == pointer, "\(with)")
                let begun = try await pics.ask(
                    .post, "/v1/photos?with=\(PercentEncoding.encode(with))",
                    ["Upload-Complete": "?0", "Content-Type": "image/jpeg"], CameraPhoto.jpeg(9))
                #expect(begun.status == .badRequest, "\(with)")
            }
            let others = try await pics.ask(
                .post, "/v1/photos?services=none&with=\(own.id)", ["Content-Type": "image/jpeg"], CameraPhoto.jpeg(9),
                token: guest)
            #expect(others.status == .badRequest)
            let filmWith = try await pics.post(movie, caption: "", ["with": own.id])
            #expect(filmWith.status == .unprocessableContent)
            #expect(try await pics.json("/v1/photos?limit=100")["items"]?.array?.count == before)
            let diary = try await pics.post(
                CameraPhoto.jpeg(9), caption: "", ["visibility": "private", "with": hidden.id])
            #expect(try JSONValue(parsing: diary.body)["with"]?.array?.count == 1)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `an upload that becomes a photo at its end takes those along that are still there`() async throws {
        try await withPics { pics in
            let second = try await pics.store(2)
            let third = try await pics.store(3)
            let content = CameraPhoto.jpeg(1)
            let begun = try await pics.ask(
                .post, "/v1/photos?services=none&with=\(second.id),\(third.id)",
                ["Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0", "Content-Type": "image/jpeg"],
                Array(content[..<500]))
            let url = try #require(begun.fields["Location"])
            #expect(try await pics.send(.delete, "/v1/photos/\(second.id)").status == .noContent)

            let done = try await pics.ask(
                .patch, url,
                [
                    "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?1", "Upload-Offset": "500",
                    "Content-Type": "application/partial-upload",
                ], Array(content[500...]))

            #expect(done.status == .created, "\(String(decoding: done.body, as: UTF8.self))")
            #expect(try JSONValue(parsing: done.body)["with"]?.array?.compactMap(\.string) == [third.id])

            let finished = try await pics.beginTus(["Upload-Length": String(content.count)])
            #expect(try await pics.patchTus(finished, at: 0, content).status == .noContent)
            let made = try await pics.call(
                .post, "/v1/photos",
                [
                    "upload": .string(finished.split(separator: "/").last.map(String.init) ?? ""),
                    "services": [], "with": [.string(third.id)],
                ])
            #expect(made.status == 201, "\(made.json)")
            #expect(made.json["with"]?.array?.compactMap(\.string) == [third.id])
        }
    }
}

extension Pics {
    /// Stores a photo that goes nowhere.
    fileprivate func store(
        _ number: Int, altText: String = "", visibility: String = "public"
    ) async throws -> (id: String, code: String) {
        let response = try await post(
            CameraPhoto.jpeg(number), caption: "", ["services": "none", "alt_text": altText, "visibility": visibility])
        let photo = try JSONValue(parsing: response.body)
        return (try #require(photo["id"]?.string), try #require(photo["code"]?.string))
    }
}
