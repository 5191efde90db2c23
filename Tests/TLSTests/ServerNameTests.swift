import Testing

@testable import TLS

struct ServerNameTests {
    @Test(
        arguments: [
            ("pics.test", "first"),
            ("PICS.Test", "first"),
            ("photos.example.org", "second"),
            ("a.photos.example.org", "first"),
            ("example.org", "third"),
            ("www.example.org", "third"),
            ("elsewhere.test", "first"),
            (nil, "first"),
        ] as [(String?, String)])
    func `the certificate is chosen by the name the client asks for`(name: String?, chosen: String) throws {
        let connection = try connect(Self.context.get(), ClientWishes(serverName: name))

        #expect(connection.client.certificateName == chosen)
        #expect(connection.server.serverName == name)
    }

    @Test func `protocols and tickets are the same for all certificates`() throws {
        let wishes = ClientWishes(protocols: ["h2"], serverName: "photos.example.org")
        let first = try connect(Self.context.get(), wishes)
        first.takeTickets()
        var again = wishes
        again.session = first.client.session

        let second = try connect(Self.context.get(), again)

        #expect(first.server.negotiatedProtocol == "h2")
        #expect(second.server.negotiatedProtocol == "h2")
        #expect(second.server.isResumed)
    }

    @Test func `names come from the alternative names, or else from the common name`() throws {
        let certificates = try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [
                    folder.makeIdentity("ignored.test", names: ["One.Test", "*.two.test"]),
                    folder.makeIdentity("Common.Test"),
                    folder.makeIdentity("no name at all"),
                ], protocols: []
            ).certificates
        }

        #expect(certificates.map(\.names) == [["one.test", "*.two.test"], ["common.test"], []])
    }

    @Test(
        arguments: [
            ("a.test", 0), ("A.TEST", 0), ("b.test", 1), ("x.b.test", 2), ("y.b.test", 1), ("x.y.b.test", nil),
            (".b.test", nil), ("*.b.test", 1), ("test", nil), ("", nil),
        ] as [(String, Int?)])
    func `a whole name goes before a wildcard, and the first certificate before the others`(name: String, index: Int?) {
        let names = ServerNames([["a.test"], ["a.test", "b.test", "*.b.test"], ["x.b.test", "*.b.test"]])

        #expect(names.index(of: name) == index)
    }

    private static let context = Result {
        try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [
                    folder.makeIdentity("first", names: ["pics.test"]),
                    folder.makeIdentity("second", names: ["photos.example.org"]),
                    folder.makeIdentity("third", names: ["example.org", "*.example.org"]),
                ], protocols: ["h2"])
        }
    }
}
