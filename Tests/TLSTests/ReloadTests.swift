import Foundation
import Testing

@testable import TLS

struct ReloadTests {
    @Test func `new sessions get the new certificate, open ones are not touched`() throws {
        try withCertificateFolder { folder in
            let identity = try folder.makeIdentity("old")
            let context = try TLSServerContext(identities: [identity], protocols: ["h2"])
            let open = try connect(context)
            let shaking = try TestConnection(context)
            _ = shaking.client.handshake()
            _ = shaking.server.handshake()
            try folder.write("new", validity: -60...3600, to: identity)

            try context.reload()

            #expect(try connect(context).client.certificateName == "new")
            #expect(context.certificates.count == 1)
            #expect(abs(context.certificates[0].expires.timeIntervalSinceNow - 3600) < 60)
            #expect(open.send("still here") == .bytes(10))
            #expect(shaking.shakeHands() == (.done, .done))
            #expect(shaking.client.certificateName == "old")
        }
    }

    @Test func `with one broken file everything stays as it was`() throws {
        try withCertificateFolder { folder in
            let first = try folder.makeIdentity("first", names: ["first.test"])
            let second = try folder.makeIdentity("second", names: ["second.test"])
            let context = try TLSServerContext(identities: [first, second], protocols: [])
            let before = context.certificates
            try folder.write("changed", names: ["first.test"], to: first)
            try "nothing".write(toFile: second.certificateChainFile, atomically: true, encoding: .utf8)

            #expect(throws: TLSError.file(path: second.certificateChainFile, .noCertificate)) { try context.reload() }

            #expect(context.certificates == before)
            #expect(try connect(context, ClientWishes(serverName: "first.test")).client.certificateName == "first")
            #expect(try connect(context, ClientWishes(serverName: "second.test")).client.certificateName == "second")
        }
    }

    @Test func `names of a new certificate are answered to`() throws {
        try withCertificateFolder { folder in
            let first = try folder.makeIdentity("first", names: ["first.test"])
            let second = try folder.makeIdentity("second", names: ["second.test"])
            let context = try TLSServerContext(identities: [first, second], protocols: [])
            try folder.write("moved", names: ["moved.test"], to: second)

            try context.reload()

            #expect(try connect(context, ClientWishes(serverName: "moved.test")).client.certificateName == "moved")
            #expect(try connect(context, ClientWishes(serverName: "second.test")).client.certificateName == "first")
        }
    }

    @Test func `sessions may begin on many threads while certificates are reloaded`() throws {
        try withCertificateFolder { folder in
            let context = try TLSServerContext(identities: [folder.makeIdentity("server")], protocols: [])

            DispatchQueue.concurrentPerform(iterations: 8) { worker in
                #expect(throws: Never.self) {
                    for _ in 0..<20 {
                        if worker.isMultiple(of: 2) { try context.reload() }
                        #expect(try connect(context).send("x") == .bytes(1))
                    }
                }
            }
        }
    }
}
