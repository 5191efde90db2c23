internal import Actions
internal import Fakes
internal import Submitters
internal import Testing

struct ApplicationsTests {
    @Test func `settings win over what an admin has entered, which wins over nothing, and the two are not mixed`()
        async throws
    {
        try await withBench({ _ in FakeMastodon() }) { bench, _ in
            let entered = bench.accounts().applications
            let chosen = bench.accounts(["twitter": ["consumer_key": "mine"]]).applications
            #expect(try await entered.known(for: "twitter").source == nil)

            try await entered.put(["client_id": "theirs", "client_secret": "theirs"], for: "twitter")

            let database = try await entered.known(for: "twitter")
            let settings = try await chosen.known(for: "twitter")
            #expect(database.source == .database && database.keys["client_id"] == "theirs")
            #expect(settings.source == .settings && settings.keys["consumer_key"] == "mine")
            #expect(settings.keys["client_id"] == nil)
            try await entered.remove("twitter")
            #expect(try await entered.known(for: "twitter").source == nil)
        }
    }
}
