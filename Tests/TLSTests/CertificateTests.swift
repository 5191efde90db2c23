import Foundation
import Testing

@testable import TLS

struct CertificateTests {
    @Test func `a certificate says until when it is valid`() throws {
        let certificate = try loaded { try $0.makeIdentity("server", validity: -60...86_400) }

        #expect(abs(certificate.expires.timeIntervalSinceNow - 86_400) < 60)
        #expect(abs(certificate.validFrom.timeIntervalSinceNow + 60) < 60)
        #expect(certificate.warning(at: .now) == nil)
    }

    @Test func `an expired certificate is used with a warning`() throws {
        let context = try withCertificateFolder { folder in
            try TLSServerContext(
                identities: [
                    folder.makeIdentity("good"), folder.makeIdentity("old", validity: -7200 ... -3600),
                    folder.makeIdentity("early", validity: 3600...7200),
                ], protocols: [])
        }

        let certificates = context.certificates
        #expect(
            context.warnings() == [
                .expired(certificate: certificates[1].identity.certificateChainFile, at: certificates[1].expires),
                .notYetValid(
                    certificate: certificates[2].identity.certificateChainFile, from: certificates[2].validFrom),
            ])
        #expect("\(context.warnings()[0])".contains("old.pem expired at 20"))
        #expect(try connect(context).client.certificateName == "good")
    }

    @Test func `a certificate serves the names it is for, all of them, while it is valid`() throws {
        let context = try TLSServerContext(
            identities: [.selfSigned(for: ["a.example", "b.example"], days: 1)], protocols: [])
        let certificate = try #require(context.certificates.first)

        #expect(certificate.serves(["a.example", "B.example"], at: .now))
        #expect(!certificate.serves(["a.example", "c.example"], at: .now))
        #expect(!certificate.serves(["a.example"], at: certificate.expires))
        #expect(!certificate.serves(["a.example"], at: certificate.validFrom.addingTimeInterval(-1)))
    }

    @Test func `a server needs a certificate`() {
        #expect(throws: TLSError.noIdentity) { try TLSServerContext(identities: [], protocols: []) }
    }

    @Test(arguments: [CertificateFolder.KeyKind.p256, .rsa])
    func `a key of another certificate is refused`(kind: CertificateFolder.KeyKind) throws {
        try withCertificateFolder { folder in
            let one = try folder.makeIdentity("one")
            let other = try folder.makeIdentity("other", kind: kind)
            let mixed = TLSIdentity(
                certificateChainFile: one.certificateChainFile, privateKeyFile: other.privateKeyFile)

            #expect(
                throws: TLSError.keyDoesNotFit(certificate: one.certificateChainFile, key: other.privateKeyFile)
            ) { try TLSServerContext(identities: [mixed], protocols: []) }
        }
    }

    @Test(
        arguments: [
            ("missing", .unusable(reason: "No such file or directory")),
            ("folder", .noCertificate),
            ("empty", .noCertificate),
            ("text", .noCertificate),
            ("server.key", .noCertificate),
            ("broken", .unusable(reason: "bad end line")),
        ] as [(String, TLSError.FileProblem)])
    func `a certificate's file that is not one is named`(name: String, problem: TLSError.FileProblem) throws {
        try withCertificateFolder { folder in
            let key = try makeFiles(in: folder).privateKeyFile
            let identity = TLSIdentity(certificateChainFile: "\(folder.path)/\(name)", privateKeyFile: key)

            #expect(throws: TLSError.file(path: identity.certificateChainFile, problem)) {
                try TLSServerContext(identities: [identity], protocols: [])
            }
        }
    }

    @Test(
        arguments: [
            ("missing", .unusable(reason: "No such file or directory")),
            ("folder", .noKey),
            ("empty", .noKey),
            ("text", .noKey),
            ("server.pem", .noKey),
            ("locked", .needsPassphrase),
        ] as [(String, TLSError.FileProblem)])
    func `a key's file that is not one is named`(name: String, problem: TLSError.FileProblem) throws {
        try withCertificateFolder { folder in
            let certificate = try makeFiles(in: folder).certificateChainFile
            let identity = TLSIdentity(certificateChainFile: certificate, privateKeyFile: "\(folder.path)/\(name)")

            #expect(throws: TLSError.file(path: identity.privateKeyFile, problem)) {
                try TLSServerContext(identities: [identity], protocols: [])
            }
        }
    }

    @Test func `intermediate certificates go with the first`() throws {
        let context = try withCertificateFolder { folder in
            let server = try folder.makeIdentity("server")
            let between = try folder.makeIdentity("between")
            let chain = try [server, between].map {
                try String(contentsOfFile: $0.certificateChainFile, encoding: .utf8)
            }
            try chain.joined().write(toFile: server.certificateChainFile, atomically: true, encoding: .utf8)
            return try TLSServerContext(identities: [server], protocols: [])
        }

        #expect(try connect(context).client.chainLength == 2)
    }

    private func loaded(_ make: (CertificateFolder) throws -> TLSIdentity) throws -> TLSCertificate {
        try withCertificateFolder { folder in
            try #require(try TLSServerContext(identities: [make(folder)], protocols: []).certificates.first)
        }
    }

    /// A good identity, and files that are none.
    private func makeFiles(in folder: CertificateFolder) throws -> TLSIdentity {
        let identity = try folder.makeIdentity("server")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/folder", withIntermediateDirectories: false)
        try "".write(toFile: "\(folder.path)/empty", atomically: false, encoding: .utf8)
        try "hello\n".write(toFile: "\(folder.path)/text", atomically: false, encoding: .utf8)
        let certificate = try String(contentsOfFile: identity.certificateChainFile, encoding: .utf8)
        try String(certificate.prefix(200)).write(toFile: "\(folder.path)/broken", atomically: false, encoding: .utf8)
        try folder.writeLockedKey(to: "\(folder.path)/locked")
        return identity
    }
}
