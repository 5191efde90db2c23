internal import Dispatch
internal import EventLoops
internal import Fakes
internal import Foundation

/// Serves the fakes until SIGTERM or SIGINT: `fake-services --mastodon 9101 --twitter 9102`.
@main
struct FakeServices {
    static func main() async throws {
        let ports = try Ports(Array(CommandLine.arguments.dropFirst()))
        let loop = try EventLoop(name: "fakes")

        let mastodon = try await FakeServer(FakeHost(FakeMastodon()), port: ports.mastodon, on: loop)
        let twitter = try await FakeServer(FakeHost(FakeTwitter()), port: ports.twitter, on: loop)
        let (token, keys) = (FakeMastodon.Options().token, FakeTwitter.Options())
        say(
            """
            Mastodon at \(mastodon.url)
              base_url=\(mastodon.url)
              access_token=\(token)
            Twitter at \(twitter.url)
              base_url=\(twitter.url)
              consumer_key=\(keys.consumerKey)
              consumer_secret=\(keys.consumerSecret)
              access_token=\(keys.token)
              access_token_secret=\(keys.tokenSecret)
            Each tells what it has published at GET /_control/effects, what it was asked at GET /_control/requests,
            and goes wrong when told so: POST /_control/faults
              {"route": "POST /2/tweets", "fault": "status", "status": 503, "retry_after": 20, "times": 1}
              fault: status, reset_before, reset_after, malformed, slow (until POST /_control/release)
            fakes are ready
            """)

        await untilSignal()
        await mastodon.stop()
        await twitter.stop()
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
    var mastodon: UInt16 = 0
    var twitter: UInt16 = 0

    struct Usage: Error, CustomStringConvertible {
        let description = "usage: fake-services [--mastodon PORT] [--twitter PORT]"
    }

    init(_ arguments: [String]) throws {
        guard arguments.count.isMultiple(of: 2) else { throw Usage() }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard let port = UInt16(arguments[index + 1]) else { throw Usage() }
            switch arguments[index] {
            case "--mastodon": mastodon = port
            case "--twitter": twitter = port
            default: throw Usage()
            }
        }
    }
}
