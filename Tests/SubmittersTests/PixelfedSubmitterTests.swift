internal import Domain
internal import Fakes
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct PixelfedSubmitterTests {
    /// Posts to a Pixelfed server, edits the post, and tells what became of it.
    private func edited(
        canEdit: Bool = true, edits: [(text: String, altText: String)]
    ) async throws -> (meanings: [Meaning?], texts: [String], altTexts: [String], requests: Int) {
        var result: (meanings: [Meaning?], texts: [String], altTexts: [String], requests: Int) = ([], [], [], 0)
        try await withScene(.pixelfed("pixelfed") { $0.canEdit = canEdit }) { scene in
            let receipt = try await scene.submit()
            for edit in edits {
                result.meanings.append(
                    await meaning { try await scene.edit(receipt, text: edit.text, altText: edit.altText) })
            }
            result.texts = scene.host?.service.effects.map(\.text) ?? []
            result.altTexts = scene.publishedAltTexts
            result.requests = scene.requests(of: "PUT /api/v1/statuses/{id}")
        }
        return result
    }

    @Test func `an edit that is asked for twice uses up one of the ten that a post may have`() async throws {
        let result = try await edited(edits: [("Fog", "A lake"), ("Fog", "A lake"), ("Fog", "Another lake")])
        #expect(result.meanings == [.published, .published, .published])
        #expect(result.texts == ["Fog"] && result.altTexts == ["Another lake"])
        #expect(result.requests == 1)
    }

    @Test func `an eleventh edit is refused in words`() async throws {
        let result = try await edited(edits: (1...11).map { ("Fog \($0)", "A lake") })
        #expect(result.meanings == [Meaning?](repeating: .published, count: 10) + [.rejected])
        #expect(result.texts == ["Fog 10"])
    }

    @Test func `a server that lets no posts be edited says so, and the post is still there`() async throws {
        let result = try await edited(canEdit: false, edits: [("Fog", "A lake")])
        #expect(result.meanings == [.rejected])
        #expect(result.texts == [Scene.text])
    }

    @Test func `collections are read page by page, and are made on the server's own pages`() async throws {
        try await withScene(.pixelfed) { scene in
            for number in 1...20 { scene.host?.service.addAlbum("Collection \(number)") }
            #expect(try await scene.albumNames() == (1...20).reversed().map { "Collection \($0)" })
            let post = scene.post(try await scene.submit())
            let albums = try #require(scene.submitter as? any AlbumSubmitter)
            #expect(
                await meaning { try await albums.createAlbum(named: "New", of: post.account, over: post.transport) }
                    == .rejected)
        }
    }

    @Test func `files that a post took before it stopped at another are uploaded again, those alone`() async throws {
        var subject = Subject.pixelfed("pixelfed") { $0.losesFile = true }
        subject.companions = 2
        try await withScene(subject) { scene in
            _ = await PlayedQueue(scene: scene).work()
            #expect(scene.requests(of: "POST /api/v2/media") == 6)
            #expect(scene.isPublishedOnce)
        }
    }

    @Test func `a warning that is too long is cut, and a language is not told`() async throws {
        let settings = MastodonSettings(baseURL: "", accountID: "", software: "pixelfed", instance: .null)
        let labels = settings.labels(
            ContentLabels(warning: String(repeating: "w", count: 200), language: "de"))
        #expect(labels.warning?.count == 140 && labels.isSensitive && labels.language == nil)
    }

    @Test func `a server of other software is no Pixelfed, whatever its token`() async throws {
        let server = Recording(
            .response(200, ["id": "17", "acct": "alice"]),
            .response(200, ["links": [["rel": "x", "href": "https://social.test/nodeinfo/2.0"]]]),
            .response(200, ["software": ["name": "mastodon"]]))
        #expect(
            await meaning {
                try await PixelfedSubmitter(servers: .any).connect(
                    ["base_url": "https://social.test", "access_token": "token"], over: server)
            } == .rejected)
    }
}
