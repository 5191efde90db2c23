internal import Crypto
internal import Curl
internal import Dispatch
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP

/// Serves the fakes until SIGTERM or SIGINT: `fake-services --mastodon 9101 --twitter 9102`.
@main
struct FakeServices {
    /// Each with what a person enters to connect its account, besides its address.
    private static let services: [(name: String, service: any FakeService, entries: [String])] = [
        ("mastodon", FakeMastodon(), ["access_token=\(FakeMastodon.Options().token)"]),
        (
            "pixelfed",
            {
                var options = FakeMastodon.Options()
                options.software = .pixelfed
                return FakeMastodon(options)
            }(), ["access_token=\(FakeMastodon.Options().token)"]
        ),
        (
            "twitter", FakeTwitter(),
            [
                "consumer_key=\(FakeTwitter.Options().consumerKey)",
                "consumer_secret=\(FakeTwitter.Options().consumerSecret)",
                "access_token=\(FakeTwitter.Options().token)",
                "access_token_secret=\(FakeTwitter.Options().tokenSecret)",
            ]
        ),
        ("bluesky", FakeBluesky(), ["identifier=alice.test", "password=app-pass-word-1234"]),
        ("dropbox", FakeDropbox(), app + ["refresh_token=dropbox-refresh"]),
        (
            "flickr", FakeFlickr(),
            [
                "consumer_key=\(FakeOAuth1.consumerKey)", "consumer_secret=\(FakeOAuth1.consumerSecret)",
                "access_token=\(FakeOAuth1.token)", "access_token_secret=\(FakeOAuth1.tokenSecret)",
            ]
        ),
        ("facebook", FakeFacebook(), ["page=104729384756102", "access_token=page-token"]),
        ("instagram", FakeInstagram(fetch: fetch), ["access_token=\(FakeInstagram.token)"]),
        ("threads", FakeThreads(fetch: fetch), ["access_token=\(FakeThreads.token)"]),
        ("tumblr", FakeTumblr(), app + ["refresh_token=tumblr-refresh"]),
        ("pinterest", FakePinterest(), app + ["refresh_token=pinterest-refresh"]),
        ("google-photos", FakeGooglePhotos(), app + ["refresh_token=google-refresh", "account=alice@example.com"]),
        ("youtube", FakeYouTube(), app + ["refresh_token=google-refresh"]),
        ("evernote", FakeEvernote(), ["token=\(FakeEvernote.token)"]),
        ("fotolife", FakeHatena(), ["username=alice", "api_key=atompub-key"]),
        ("mixi", FakeMixi(), app + ["refresh_token=mixi-refresh"]),
        (
            "mixi2", FakeMixi2(),
            ["client_id=\(FakeMixi2.clientID)", "client_secret=\(FakeMixi2.clientSecret)", "handle=lakes"]
        ),
        ("minus", FakeMinus(), app + ["username=alice", "password=secret"]),
        ("webdav", FakeWebDAV(), ["username=alice", "password=app-password"]),
        ("discord", FakeDiscord(), []),
        (
            "s3", FakeS3(),
            [
                "bucket=my-photos", "access_key=\(FakeS3.accessKey)", "secret_key=\(FakeS3.secretKey)",
                "region=\(FakeS3.region)",
            ]
        ),
        ("immich", FakeImmich(), ["api_key=\(FakeImmich.key)"]),
        (
            "matrix", FakeMatrix(),
            ["user_id=\(FakeMatrix.user)", "password=\(FakeMatrix.password)", "room=\(FakeMatrix.alias)"]
        ),
        (
            "mail", FakeMail(),
            ["sender=\(FakeMail.user)", "password=\(FakeMail.password)", "recipients=ann@example.org"]
        ),
        ("nostr", FakeNostr(), ["secret_key=\(FakeNostr.secretKey)", "kind=1"]),
        ("prodigi", FakeProdigi(fetch: fetch), ["api_key=\(FakeProdigi.Options().key)"]),
        ("lob", FakeLob(), ["api_key=\(FakeLob.Options().key)", "price=0.87 USD"]),
        ("telegram", FakeTelegram(), ["token=\(FakeTelegram.token)", "chat=@lakes"]),
        ("micropub", FakeMicropub(), ["access_token=\(FakeMicropub.token)"]),
        ("wordpress", FakeWordPress(), ["username=alice", "password=abcd EFGH ijkl MNOP qrst UVWX"]),
    ]

    /// How services that take no bytes get their files.
    private static let fetch: FileFetcher = { url in
        guard let network = try? crawler.get(),
            let response = try? await network.send(
                OutgoingRequest(method: .get, url: url, fields: [:], body: .none, addressPolicy: .any)),
            response.status.isSuccess
        else { return nil }
        return FetchedFile(bytes: response.body, mediaType: response.fields["Content-Type"] ?? "")
    }

    private static let crawler = Result {
        try CurlTransport(
            on: EventLoop(name: "crawler"), threads: BlockingThreads(name: "crawler-disk", count: 1),
            options: CurlOptions(userAgent: "facebookexternalhit/1.1"))
    }

    private static let app = ["client_id=client-id", "client_secret=client-secret"]

    static func main() async throws {
        CryptoLibrary.prepare()
        let ports = try Ports(Array(CommandLine.arguments.dropFirst()), names: services.map(\.name))
        let loop = try EventLoop(name: "fakes")

        var servers: [FakeServer] = []
        for (name, service, entries) in services {
            let server = try await FakeServer(FakeHost(service), port: ports[name], on: loop)
            servers.append(server)
            say("\(name) at \(server.url)")
            switch name {
            // Its folder has a path.
            case "webdav": say("  base_url=\(server.url)/dav")
            case "mail":
                say("  server=\(server.url)")
                say("  (its controls are at \(server.controls))")
            case "nostr":
                say("  relays=\(server.url)")
                say("  servers=\(server.url)")
            case "discord":
                say("  webhook=\(server.url)/api/webhooks/\(FakeDiscord.webhook)/\(FakeDiscord.token)")
            default: say("  base_url=\(server.url)")
            }
            for entry in entries { say("  \(entry)") }
        }
        say(
            """
            Each tells what it has published at GET /_control/effects, in which albums at GET /_control/albums, what it was
            asked at GET /_control/requests, and goes wrong when told so: POST /_control/faults
              {"route": "POST /2/tweets", "fault": "status", "status": 503, "retry_after": 20, "times": 1}
              fault: status, reset_before, reset_after, malformed, slow (until POST /_control/release)
            fakes are ready
            """)

        await untilSignal()
        for server in servers { await server.stop() }
        loop.stop()
    }

    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    /// Waits for SIGTERM or SIGINT.
    private static func untilSignal() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.activate()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }
}

/// The ports of the command line; 0, which takes a free one, where it names none.
struct Ports {
    private var ports: [String: UInt16] = [:]

    struct Usage: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: [String], names: [String]) throws {
        let usage = Usage(description: "usage: fake-services \(names.map { "[--\($0) PORT]" }.joined(separator: " "))")
        guard arguments.count.isMultiple(of: 2) else { throw usage }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard let name = names.first(where: { "--\($0)" == arguments[index] }),
                let port = UInt16(arguments[index + 1])
            else { throw usage }
            ports[name] = port
        }
    }

    subscript(name: String) -> UInt16 { ports[name] ?? 0 }
}
