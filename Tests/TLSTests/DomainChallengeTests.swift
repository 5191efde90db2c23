import Testing

@testable import TLS

struct DomainChallengeTests {
    private static let digest = [UInt8](repeating: 7, count: 32)

    private func context() throws -> TLSServerContext {
        try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [try folder.makeIdentity("server", names: ["server.test"])], protocols: ["h2", "http/1.1"])
        }
    }

    @Test func `a client of the challenge's protocol gets it for a name that is being proved`() throws {
        let context = try context()
        try context.challenges.answer(for: "server.test", digest: Self.digest)

        let connection = try connect(
            context, ClientWishes(protocols: [DomainChallenges.protocolName], serverName: "server.test"))

        #expect(connection.server.negotiatedProtocol == "acme-tls/1")
    }

    @Test func `other clients never see the challenge`() throws {
        let context = try context()
        try context.challenges.answer(for: "server.test", digest: Self.digest)

        let browser = try connect(context, ClientWishes(protocols: ["h2"], serverName: "server.test"))
        let mixed = try connect(context, ClientWishes(protocols: ["acme-tls/1", "h2"], serverName: "server.test"))

        #expect(browser.server.negotiatedProtocol == "h2")
        #expect(mixed.server.negotiatedProtocol == "h2")
    }

    @Test(arguments: ["other.test", "server.test"])
    func `a name that is not being proved is refused`(name: String) throws {
        let context = try context()
        try context.challenges.answer(for: "server.test", digest: Self.digest)
        context.challenges.stop(for: "server.test")

        let connection = try TestConnection(context, ClientWishes(protocols: ["acme-tls/1"], serverName: name))

        #expect(connection.shakeHands().0 == .failed("no application protocol"))
    }

    @Test(
        arguments: [
            [], [0], [0, 3, 0, 0, 0], [0, 4, 1, 0, 1, 97], [0, 9, 0, 0, 1, 97], [0, 4, 0, 0, 2, 97],
            [0, 8, 0, 0, 1, 97, 0, 0, 1, 98],
        ] as [[UInt8]])
    func `a malformed list of names names nobody`(list: [UInt8]) {
        #expect(DomainChallenges.hostName(in: list) == nil)
    }

    @Test func `a name is compared in small letters`() {
        #expect(DomainChallenges.hostName(in: [0, 4, 0, 0, 1, 65]) == "a")
    }
}
