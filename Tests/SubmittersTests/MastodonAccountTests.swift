internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

struct MastodonAccountTests {
    private let mastodon = MastodonSubmitter(servers: .publicOnly)
    private let entries = ["base_url": "https://Social.Test/", "access_token": " token\n"]

    @Test func `connecting asks whose account it is, and what its server takes`() async throws {
        let server = Recording(
            .response(200, ["id": "17", "acct": "alice"]),
            .response(200, ["links": [["rel": "x", "href": "https://social.test/nodeinfo/2.0"]]]),
            .response(200, ["software": ["name": "mastodon"]]),
            .response(
                200,
                [
                    "version": "4.6.0",
                    "configuration": [
                        "statuses": [
                            "max_characters": 1000, "characters_reserved_per_url": 25, "max_media_attachments": 6,
                        ],
                        "media_attachments": [
                            "supported_mime_types": ["image/jpeg", "video/mp4"], "description_limit": 700,
                            "image_size_limit": 1000, "image_matrix_limit": 2000, "video_size_limit": 3000,
                        ],
                    ],
                ]))

        let account = try await mastodon.connect(entries, over: server)

        #expect(
            server.sent.map(\.line) == [
                "GET https://social.test/api/v1/accounts/verify_credentials",
                "GET https://social.test/.well-known/nodeinfo", "GET https://social.test/nodeinfo/2.0",
                "GET https://social.test/api/v2/instance",
            ])
        #expect(server.sent.allSatisfy { $0.fields["Authorization"] == "Bearer token" })
        #expect(account.remoteID == "https://social.test/17")
        #expect(account.name == "alice@social.test")
        #expect(account.credentials == ["access_token": "token"])
        #expect(mastodon.captionRule(account.settings) == .mastodon(limit: 1000, reservedPerLink: 25))
        #expect(
            mastodon.mediaRule(account.settings)
                == MediaRule(
                    pictureTypes: ["image/jpeg"], maximumPictureBytes: 1000, maximumPixels: 2000,
                    videoTypes: ["video/mp4"], maximumVideoBytes: 3000, maximumPictures: 6))
    }

    @Test func `a server that tells nothing has the smallest limits that are known`() async throws {
        let server = Recording(
            .response(200, ["id": "17", "acct": "alice"]), .response(404), .response(404),
            .response(200, ["version": "2.7"]))

        let account = try await mastodon.connect(entries, over: server)

        #expect(server.sent.last?.line == "GET https://social.test/api/v1/instance")
        #expect(mastodon.captionRule(account.settings) == .mastodonCompatible(limit: 500, reservedPerLink: 23))
        #expect(account.settings["description_limit"] == 1000)
        #expect(mastodon.mediaRule(account.settings) == mastodon.description.mediaRule)
    }

    @Test func `a nodeinfo document on another server is not read`() async throws {
        let server = Recording(
            .response(200, ["id": "17", "acct": "alice"]),
            .response(200, ["links": [["href": "https://social.test.evil.example/nodeinfo"]]]), .response(200, [:]))

        let account = try await mastodon.connect(entries, over: server)

        #expect(account.settings["software"] == .null)
        #expect(server.sent.count == 3)
    }

    @Test(arguments: [
        (401, "unauthorized"), (403, "unauthorized"), (404, "gone"), (410, "gone"), (429, "limited"),
        (301, "rejected"), (500, "temporary"), (503, "temporary"),
    ])
    func `an account that cannot be connected says why`(status: Int, expected: String) async {
        let server = Recording(.response(status))

        #expect(await meaning { try await mastodon.connect(entries, over: server) }?.rawValue == expected)
    }

    @Test(arguments: [
        [:], ["base_url": "https://social.test"], ["base_url": "http://social.test", "access_token": "token"],
    ])
    func `what was entered is looked at before anything is sent`(entries: [String: String]) async {
        let server = Recording()

        #expect(await meaning { try await mastodon.connect(entries, over: server) } == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test(
        arguments: [
            (Visibility.public, nil, nil), (.unlisted, nil, nil), (.private, nil, "private"),
            (.public, "public", "public"), (.public, "direct", "direct"), (.unlisted, "public", "unlisted"),
            (.unlisted, "private", "private"), (.private, "public", "private"), (.private, "unlisted", "private"),
            (.private, "direct", "direct"), (.private, "everybody", "private"),
        ] as [(Visibility, String?, String?)])
    func `a post is seen as its account's owner chose, and never by more people than the photo`(
        photo: Visibility, chosen: String?, expected: String?
    ) {
        #expect(MastodonVisibility.ofStatus(photo, chosen: ["visibility": JSONValue(chosen)]) == expected)
    }

    @Test func `a chosen visibility goes along with the post`() async throws {
        try await withScene(.mastodon) { scene in
            scene.choose(["visibility": "unlisted"])

            _ = try await scene.submit()

            #expect((scene.host?.service as? FakeMastodon)?.visibilities == ["unlisted"])
        }
    }

    @Test func `limits are read anew, and what its owner has chosen is left alone`() async throws {
        let old: JSONValue = [
            "base_url": "https://social.test", "account_id": "17", "software": "mastodon", "max_characters": 500,
            "album": "holidays",
        ]
        let server = Recording(
            .response(404), .response(200, ["configuration": ["statuses": ["max_characters": 800]]]))

        let settings = try await mastodon.refreshSettings(of: .sample(["access_token": "token"], old), over: server)

        #expect(settings?["max_characters"] == 800)
        #expect(settings?["software"] == "mastodon")
        #expect(settings?["account_id"] == "17")
        // The queue adds what is told; a choice that was told too would undo a newer one.
        #expect(settings?["album"] == nil)
    }
}
