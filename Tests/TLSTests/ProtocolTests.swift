import Testing

@testable import TLS

struct ProtocolTests {
    @Test(
        arguments: [
            (["http/1.1", "h2"], "h2"),
            (["h3", "http/1.1"], "http/1.1"),
            ([], nil),
        ] as [([String], String?)])
    func `the server's order decides which protocol is spoken`(offered: [String], chosen: String?) throws {
        let connection = try connect(sharedContext(), ClientWishes(protocols: offered))

        #expect(connection.server.negotiatedProtocol == chosen)
    }

    @Test func `a client that speaks none of the protocols is told so`() throws {
        let connection = try TestConnection(sharedContext(), ClientWishes(protocols: ["spdy/3", "h"]))

        let result = connection.shakeHands()

        #expect(result == (.failed("no application protocol"), .failed("tlsv1 alert no application protocol")))
    }

    @Test func `a server without protocols takes clients with any`() throws {
        let context = try withCertificateFolder { folder in
            try TLSServerContext(identities: [folder.makeIdentity("server")], protocols: [])
        }

        let connection = try connect(context, ClientWishes(protocols: ["h2"]))

        #expect(connection.server.negotiatedProtocol == nil)
    }

    @Test(arguments: ["", String(repeating: "x", count: 256)])
    func `a protocol's name must fit into its length byte`(name: String) {
        #expect(throws: TLSError.badProtocolName(name)) {
            try TLSServerContext(identities: [], protocols: ["h2", name])
        }
    }
}
