internal import Domain
internal import EventLoops
internal import HTTP
internal import Submitters
internal import Testing

struct RegistryTests {
    private let registry = Registry.standard(
        SubmitterConfiguration(
            archive: "/nowhere", threads: BlockingThreads(name: "archive", count: 1), servers: .publicOnly))

    @Test(arguments: [
        ("twitter", "twitter"), ("Twitter", "twitter"), ("TwitterPhotoSubmitter", "twitter"), ("x", "twitter"),
        ("FILE", "file"), ("FilePhotoSubmitter", "file"), ("mastodon", "mastodon"), ("pixelfed", "mastodon"),
    ])
    func `a service is found by its short, capitalised and full names`(name: String, id: String) {
        #expect(registry[name]?.description.id == id)
    }

    @Test(arguments: ["", "photosubmitter", "dropbox?", "twitterphoto"])
    func `a name that no service has finds none`(name: String) {
        #expect(registry[name] == nil)
    }

    @Test func `services are shown in one order`() {
        #expect(registry.names == ["file", "twitter", "mastodon"])
    }

    @Test func `an account's settings choose its rule`() {
        let twitter = registry["twitter"]

        #expect(twitter?.captionRule([:]) == .twitterClassic)
        #expect(twitter?.captionRule(["caption_rule": "twitter_weighted"]) == .twitterWeighted)
    }
}
