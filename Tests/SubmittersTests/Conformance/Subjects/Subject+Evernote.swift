internal import Fakes
internal import Foundation
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let evernote = evernote("evernote")
    static let evernotes = [
        evernote, evernote("evernote, a video", isVideo: true), evernote("evernote, lists that lag behind", delay: 20),
    ]

    private static func evernote(_ name: String, isVideo: Bool = false, delay: TimeInterval = 0) -> Subject {
        Subject(
            name: name, lacks: [.several, .counts, .refresh, .resume], isVideo: isVideo,
            steps: ["POST /shard/s1/notestore"],
            fake: { FakeEvernote(listDelay: delay, now: $0.read) },
            submitter: { EvernoteSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
            entries: { ["base_url": $0, "token": FakeEvernote.token] })
    }
}
