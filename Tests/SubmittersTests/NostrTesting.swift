internal import Crypto
internal import Domain
internal import EventLoops
internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools
internal import Testing

/// What the tests of Nostr share.
enum NostrTesting {
    static let threads = BlockingThreads(name: "nostr", count: 1)

    /// Of the file that `event` posts.
    static let hash = SHA256Digest(of: [1, 2, 3]).hex

    /// The event that a post of three bytes becomes.
    static func event(
        _ subject: Subject, _ text: String, _ labels: ContentLabels = ContentLabels(), position: Position? = nil,
        _ clock: TestClock,
        video: (width: Int?, height: Int?)? = nil
    ) async throws -> JSONValue {
        var found = JSONValue.null
        try await withFake(FakeNostr(now: clock.read)) { fake, server, transport in
            let nostr = NostrSubmitter(servers: .any, threads: threads, now: clock.read)
            let account = try await nostr.connect(subject.entries(server.url), over: transport)
            let folder = try TemporaryFolder()
            let original = try folder.photo(
                [1, 2, 3], mediaType: video == nil ? "image/jpeg" : "video/mp4", at: clock.now, position: position)
            var photo = SamplePhoto(
                photo: original.photo,
                file: OutgoingFile(
                    path: original.file.path, bytes: 3, mediaType: original.file.mediaType,
                    width: video.map(\.width) ?? 4032,
                    height: video.map(\.height) ?? 3024))
            photo.photo.labels = labels
            _ = try await nostr.submit(
                .sample(photo, to: account.opened(), over: transport, text: text, altText: "A lake", clock: clock))
            found = try #require(fake.events(at: "/").first)
        }
        return found
    }
}
