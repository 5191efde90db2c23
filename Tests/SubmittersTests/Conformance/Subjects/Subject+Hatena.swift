internal import Fakes
internal import HTTP
internal import Submitters
internal import TestTools

extension Subject {
    static let hatena = Subject(
        name: "hatena fotolife", lacks: [.video, .several, .altText, .counts, .refresh, .resume],
        reasons: [.revoke: Showing.ownerMadeKey], steps: ["POST /atom/post"], hasAltText: false,
        fake: { FakeHatena(now: $0.read) },
        submitter: { HatenaSubmitter(servers: .any, threads: $0.threads, now: $0.clock.read) },
        entries: { ["base_url": $0, "username": "alice", "api_key": "atompub-key"] })
}
