internal import EventLoops
internal import Foundation
internal import HTTP
internal import Testing

@testable internal import Submitters

/// What services tell of the profile pictures of accounts, in the answers that their documentation shows.
struct ProfilePictureTests {
    /// A service that is asked for an account's picture.
    private struct Question: Sendable, CustomTestStringConvertible {
        let submitter: any PictureSubmitter
        let answer: JSONValue
        let line: String
        let picture: String?

        init(_ submitter: any PictureSubmitter, _ answer: JSONValue, asked line: String, _ picture: String?) {
            (self.submitter, self.answer, self.line, self.picture) = (submitter, answer, line, picture)
        }

        var testDescription: String { "\(submitter.description.id): \(picture ?? "none")" }
    }

    private static let mastodon = MastodonSubmitter(servers: .publicOnly)
    private static let bluesky = BlueskySubmitter(servers: .publicOnly)
    private static let discord = DiscordSubmitter(servers: .publicOnly)
    private static let mixi = MixiSubmitter(servers: .publicOnly)
    private static let dropbox = DropboxSubmitter(
        servers: .publicOnly, threads: BlockingThreads(name: "files", count: 1))
    private static let flickr = FlickrSubmitter(servers: .publicOnly)
    private static let facebook = FacebookSubmitter(servers: .publicOnly)
    private static let youtube = YouTubeSubmitter(servers: .publicOnly)

    private static let pinterest = PinterestSubmitter(
        servers: .publicOnly, threads: BlockingThreads(name: "pictures", count: 1))
    private static let instagram = InstagramSubmitter(servers: .publicOnly)
    private static let threads = ThreadsSubmitter(servers: .publicOnly)

    private static let questions: [Question] = {
        let verify = "GET https://social.test/api/v1/accounts/verify_credentials"
        let getProfile = "GET https://pds.test/xrpc/app.bsky.actor.getProfile?actor=12%40N01"
        let webhook = "GET https://discord.com/api/v10/webhooks/12@N01/token"
        let me = "GET https://api.mixi-platform.com/2/people/@me/@self"
        let account = "POST https://api.dropboxapi.com/2/users/get_current_account"
        let info =
            "GET https://api.flickr.com/services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=12%40N01"
        let page = "GET https://graph.facebook.com/v26.0/12%40N01/picture?redirect=0&width=128&height=128"
        let channel = "GET https://www.googleapis.com/youtube/v3/channels?part=snippet%2CcontentDetails&mine=true"
        let professional =
            "GET https://graph.instagram.com/v26.0/me?fields=user_id,username,profile_picture_url"
        let profile = "GET https://graph.threads.net/v1.0/me?fields=id,username,threads_profile_picture_url"
        let files = "https://files.social.test/accounts/avatars/1"
        func mastodon(_ members: JSONObject, _ picture: String?) -> Question {
            var members = members
            members["id"] = "1"
            members["acct"] = "alice"
            return Question(Self.mastodon, .object(members), asked: verify, picture)
        }
        return [
            mastodon(
                ["avatar": .string("\(files)/a.gif"), "avatar_static": .string("\(files)/s.png")], "\(files)/s.png"),
            mastodon(["avatar": .string("\(files)/a.gif"), "avatar_static": ""], "\(files)/a.gif"),
            mastodon(["avatar_static": "https://social.test/avatars/original/missing.png"], nil),
            mastodon([:], nil),
            Question(
                bluesky, ["did": "did:plc:a", "avatar": "https://cdn.bsky.app/img/avatar/plain/did:plc:a/bafy@jpeg"],
                asked: getProfile, "https://cdn.bsky.app/img/avatar/plain/did:plc:a/bafy@jpeg"),
            Question(bluesky, ["did": "did:plc:a"], asked: getProfile, nil),
            Question(
                discord, ["channel_id": "9", "avatar": "33ecab261d4681afa4d85a04691c4a01"], asked: webhook,
                "https://cdn.discordapp.com/avatars/12@N01/33ecab261d4681afa4d85a04691c4a01.png?size=128"),
            Question(discord, ["channel_id": "9", "avatar": .null], asked: webhook, nil),
            Question(
                mixi, ["entry": ["id": "abc", "thumbnailUrl": "https://profile.img.mixi.jp/photo/abc_s.jpg"]],
                asked: me,
                "https://profile.img.mixi.jp/photo/abc_s.jpg"),
            Question(
                mixi,
                ["entry": ["id": "abc", "thumbnailUrl": "http://img.mixi.net/img/basic/common/noimage_member76.gif"]],
                asked: me, nil),
            Question(
                dropbox,
                ["account_id": "dbid:1", "profile_photo_url": "https://dl-web.dropbox.com/account_photo/get/1"],
                asked: account, "https://dl-web.dropbox.com/account_photo/get/1"),
            Question(dropbox, ["account_id": "dbid:1"], asked: account, nil),
            Question(
                flickr, ["stat": "ok", "person": ["nsid": "12@N01", "iconserver": "122", "iconfarm": 1]], asked: info,
                "https://farm1.staticflickr.com/122/buddyicons/12%40N01.jpg"),
            Question(
                flickr, ["stat": "ok", "person": ["nsid": "12@N01", "iconserver": "0", "iconfarm": 0]], asked: info, nil
            ),
            Question(
                facebook, ["data": ["is_silhouette": false, "url": "https://scontent.xx.fbcdn.net/v/p.jpg?a=1&b=2"]],
                asked: page, "https://scontent.xx.fbcdn.net/v/p.jpg?a=1&b=2"),
            Question(
                pinterest, ["username": "alice", "profile_image": "https://i.pinimg.com/280x280_RS/a.jpg"],
                asked: "GET https://api.pinterest.com/v5/user_account", "https://i.pinimg.com/280x280_RS/a.jpg"),
            Question(
                facebook, ["data": ["is_silhouette": true, "url": "https://static.xx.fbcdn.net/s.gif"]], asked: page,
                nil),
            Question(
                youtube,
                [
                    "items": [
                        [
                            "id": "UC_x5XG1OV2P6uZZ5FSM9Ttw",
                            "snippet": [
                                "thumbnails": [
                                    "default": ["url": "https://yt3.ggpht.com/a=s88-c-k-c0x00ffffff-no-rj"],
                                    "medium": ["url": "https://yt3.ggpht.com/a=s240-c-k-c0x00ffffff-no-rj"],
                                ]
                            ],
                        ]
                    ]
                ], asked: channel, "https://yt3.ggpht.com/a=s240-c-k-c0x00ffffff-no-rj"),
            Question(
                instagram,
                [
                    "user_id": "12", "username": "lakes",
                    "profile_picture_url": "https://scontent.cdninstagram.com/v/p.jpg",
                ],
                asked: professional, "https://scontent.cdninstagram.com/v/p.jpg"),
            Question(instagram, ["user_id": "12", "username": "lakes"], asked: professional, nil),
            Question(
                threads,
                [
                    "id": "12", "username": "lakes",
                    "threads_profile_picture_url": "https://scontent.cdninstagram.com/v/t.jpg",
                ],
                asked: profile, "https://scontent.cdninstagram.com/v/t.jpg"),
            Question(threads, ["id": "12", "username": "lakes"], asked: profile, nil),
        ]
    }()

    @Test(arguments: questions)
    private func `the picture is found with one request, and a standard one is none`(question: Question) async throws {
        let server = Recording(.response(200, question.answer))
        var settings: JSONObject = ["version": "v26.0"]
        switch question.submitter.description.id {
        case "mastodon": settings["base_url"] = "https://social.test"
        case "bluesky": settings["base_url"] = "https://pds.test"
        case "discord": settings["base_url"] = "https://discord.com"
        default: break
        }
        let account = OpenedAccount.sample(
            ["access_token": "token", "token": "token"], .object(settings), remoteID: "12@N01")

        let picture = try await question.submitter.picture(of: account, over: server)

        #expect(picture == question.picture)
        #expect(server.sent.map(\.line) == [question.line])
    }

    @Test func `the picture of a blog is at an address that needs no request`() async throws {
        let server = Recording()

        let picture = try await TumblrSubmitter(servers: .publicOnly)
            .picture(of: .sample([:], [:], remoteID: "t:0aY0xL2Fi1OFJg4YxpmegQ"), over: server)

        #expect(picture == "https://api.tumblr.com/v2/blog/t%3A0aY0xL2Fi1OFJg4YxpmegQ/avatar/128")
        #expect(server.sent.isEmpty)
    }

    @Test(arguments: [
        (
            "https://pbs.twimg.com/profile_images/1/a_normal.jpg",
            ProfilePicture.at("https://pbs.twimg.com/profile_images/1/a_normal.jpg")
        ),
        ("", .missing),
    ])
    func `connecting asks X for the picture with the name, and nobody pays for it again`(
        told: String, picture: ProfilePicture
    ) async throws {
        let twitter = TwitterSubmitter(servers: .publicOnly, nonce: { "nonce" })
        let server = Recording(
            .response(200, ["data": ["id": "4711", "username": "alice", "profile_image_url": .string(told)]]))
        let keys = ["consumer_key": "a", "consumer_secret": "b", "access_token": "c", "access_token_secret": "d"]

        let account = try await twitter.connect(keys, over: server)

        #expect(account.picture == picture)
        #expect(server.sent.map(\.line) == ["GET https://api.x.com/2/users/me?user.fields=profile_image_url"])
        #expect(!((twitter as any Submitter) is any PictureSubmitter))
    }

    @Test(arguments: [
        ("https://ptb.discord.com", ProfilePicture.at("https://cdn.discordapp.com/avatars/1234/33ec.png?size=128")),
        ("https://spacebar.test", .missing), ("https://notdiscord.com", .missing),
    ])
    func `connecting tells what the answers that it reads say of the picture`(
        origin: String, picture: ProfilePicture
    ) async throws {
        let webhook = Recording(.response(200, ["channel_id": "9", "avatar": "33ec"]))

        let account = try await Self.discord.connect(
            ["webhook": "\(origin)/api/webhooks/1234/a-B_9"], over: webhook)

        #expect(account.picture == picture)
        #expect(webhook.sent.count == 1)
    }
}
