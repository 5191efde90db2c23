internal import Domain
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// What services are told of a photo's content.
struct ContentLabelTests {
    private static let mastodonSettings: JSONValue = [
        "base_url": "https://social.test", "account_id": "17", "software": "mastodon", "max_characters": 500,
    ]
    private static let mastodonAccount = OpenedAccount.sample(["access_token": "token"], mastodonSettings)
    private let mastodon = MastodonSubmitter(servers: .publicOnly)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `readers are told of the content, in the post and after an edit`() async throws {
        var labelled = try folder.photo(Array("picture".utf8), mediaType: "image/jpeg", at: TestClock().now)
        labelled.photo.labels = ContentLabels(warning: "spiders", language: "de")
        let server = Recording(
            .response(200, ["id": "22", "url": "https://social.test/22.jpg"]), .response(200, ["id": "33"]),
            .response(200, ["id": "33", "media_attachments": []]), .response(200, ["id": "33"]))

        _ = try await mastodon.submit(.sample(labelled, to: Self.mastodonAccount, over: server))
        try await mastodon.edit(
            PublishedPost(
                remoteID: "33", url: nil, labels: labelled.photo.labels, account: Self.mastodonAccount,
                transport: server,
                now: TestClock().read), text: "Sea", altText: "")

        for body in [server[1].json, server[3].json].compactMap(\.self) {
            #expect(body["sensitive"] == true && body["spoiler_text"] == "spiders" && body["language"] == "de")
        }
    }

    @Test func `a content warning counts as a part of the caption`() {
        let rule = mastodon.captions(Self.mastodonSettings, ContentLabels(warning: "spiders")).rule
        #expect(mastodon.captions(Self.mastodonSettings).rule.limit == 500 && rule.limit == 493)
        let long = mastodon.captions(
            ["max_characters": 100], ContentLabels(warning: String(repeating: "a", count: 200)))
        #expect(long.rule.limit == 10)
    }

    @Test func `a sensitive file is covered`() async throws {
        let server = Recording(.response(200, ["id": "77"]))
        var photo = try folder.photo([1, 2, 3], mediaType: "image/jpeg", at: Date())
        photo.photo.labels = ContentLabels(isSensitive: true)
        let account = OpenedAccount.sample(["token": "t"], ["base_url": "https://discord.test"], remoteID: "1234")

        _ = try await DiscordSubmitter(servers: .publicOnly).submit(.sample(photo, to: account, over: server))

        #expect(server[0].text.contains(#"filename="SPOILER_pics-\#(photo.code).jpg""#))
    }
}
