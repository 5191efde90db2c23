import ACME
import Actions
import Crypto
import Curl
import EventLoops
import FoundationEssentials
import HTTP
import HTTPServer
import Logging
import Settings
import Store
import System
import TLS

/// The certificate of `tls_domain`: got and renewed by ACME, kept in the database, used by every process that serves.
///
/// Until the first one is there, a self-signed certificate stands in.
struct ManagedCertificate: Sendable {
    /// The certificates that clients are shown.
    let context: TLSServerContext
    private let names: [String]
    private let client: ACMEClient
    private let thumbprint: String
    private let store: PicsStore
    private let keys: KeyRing
    private let loop: EventLoop
    private let threads: BlockingThreads
    private let logger: Logger
    /// The chain in use; nil while a self-signed certificate stands in.
    private let chain: Lock<String?>

    /// How long one process may ask alone: longer than the orders of both kinds take.
    private static let lease = Duration.seconds(600)
    /// After the first failure; it doubles with each. An authority bounds failures by the hour.
    private static let shortestPause = Duration.seconds(900)
    private static let longestPause = Duration.seconds(6 * 3600)
    private static let standInDays = 30
    /// An authority's clock may be ahead of this one.
    private static let clockSkew: TimeInterval = 300

    /// Nil without `tls_domain`.
    static func open(_ runtime: Runtime) async throws -> ManagedCertificate? {
        let names = runtime.configuration[PicsSettings.tlsDomain].map(\.text)
        guard !names.isEmpty else { return nil }
        guard runtime.configuration[PicsSettings.tlsCertificates] == nil else {
            throw UsageError("Set tls_domain or tls_certificates, not both.")
        }
        guard let directory = runtime.configuration[PicsSettings.acmeDirectory]?.text else {
            throw UsageError("tls_domain needs acme_directory.")
        }
        return try await ManagedCertificate(runtime, names, directory)
    }

    private init(_ runtime: Runtime, _ names: [String], _ directory: String) async throws {
        let configuration = runtime.configuration
        self.names = names
        (store, keys, loop) = (runtime.store, runtime.keys, runtime.workLoop)
        (threads, logger) = (runtime.threads, runtime.logger)
        let key = try await Self.accountKey(runtime, directory)
        thumbprint = key.thumbprint
        var transport = runtime.transport
        if let file = configuration[PicsSettings.acmeAuthorities]?.text {
            transport = try CurlTransport(
                on: runtime.workLoop, threads: runtime.threads,
                options: CurlOptions(userAgent: "Pics/\(version)", authoritiesFile: file))
        }
        let contact = configuration[PicsSettings.contact].map { [$0.text] } ?? []
        client = ACMEClient(
            directory: directory, key: key, contact: contact.filter { $0.hasPrefix("mailto:") }, transport: transport)
        context = try TLSServerContext(
            identities: [try .selfSigned(for: names, days: Self.standInDays)], protocols: ["h2", "http/1.1"])
        chain = Lock(nil)
        try await useStored()
        if chain.withLock({ $0 }) == nil {
            logger.notice(
                "no certificate yet: a self-signed one stands in", ["names": names.joined(separator: " ")])
        }
    }

    /// The key of the account; a new one where there is none that can be opened.
    private static func accountKey(_ runtime: Runtime, _ directory: String) async throws -> SigningKey {
        let context = CertificateSecrets.context(ofAccountAt: directory)
        func open(_ sealed: [UInt8]) throws -> SigningKey {
            let pem = try runtime.keys.open(sealed, context: context)
            return try SigningKey(pem: Secret(String(decoding: pem, as: UTF8.self)))
        }
        let stored = try await runtime.store.acmeAccount(at: directory)
        if let stored {
            do { return try open(stored) } catch {
                runtime.logger.warning("a new ACME account, as no key opens the former", ["error": logText(of: error)])
            }
        }
        let made = try SigningKey()
        let sealed = try runtime.keys.seal(Array(try made.pem.reveal().utf8), context: context)
        return try open(try await runtime.store.putACMEAccount(sealed, at: directory, replacing: stored))
    }

    private var joinedNames: String { names.joined(separator: " ") }

    // MARK: Keeping

    /// Uses what another process has got, and asks for a certificate when one is due and nobody else asks.
    func keep() async throws {
        try await useStored()
        guard let failures = try await store.takeCertificate(for: joinedNames, lease: Self.lease) else { return }
        do {
            let issued = try await order()
            let sealed = try keys.seal(
                Array(issued.key.reveal().utf8), context: CertificateSecrets.context(ofKeyFor: joinedNames))
            let expires = try await use(chain: issued.chain, key: issued.key)
            // A third of its life is left for everything that can go wrong.
            let renewAt = Date().addingTimeInterval(
                max(expires.timeIntervalSinceNow * 2 / 3, Self.shortestPause / .seconds(1)))
            try await store.putCertificate(
                StoredCertificate.Issued(chain: issued.chain, sealed: sealed, expires: expires), for: joinedNames,
                renewAt: renewAt)
            logger.notice(
                "a certificate was issued", ["names": joinedNames, "expires": expires.ISO8601Format()])
        } catch {
            let pause = min(Self.shortestPause * (1 << min(failures, 10)), Self.longestPause)
            let wished = (error as? ACMEError)?.retryAfter ?? .zero
            try await store.noteCertificateProblem(
                logText(of: error), for: joinedNames, retryAfter: max(pause, wished))
            logger.error(
                "no certificate; SIGHUP tries again at once",
                [
                    "names": joinedNames, "error": logText(of: error),
                    "seconds": "\(Int(max(pause, wished) / .seconds(1)))",
                ])
        }
    }

    /// Asks at once where the last attempt has failed, unless another process is asking.
    func retry() async {
        do {
            try await store.retryCertificate(for: joinedNames)
            try await keep()
        } catch {
            logger.error("no certificate", ["names": joinedNames, "error": logText(of: error)])
        }
    }

    /// By TLS, whose port has to be open anyway; and at port 80 if the authority cannot see it there.
    private func order() async throws -> IssuedCertificate {
        do {
            return try await order(by: .tlsALPN)
        } catch ACMEError.notValidated(_, let problem) {
            logger.info("tls-alpn-01 failed, http-01 follows", ["error": "\(problem)"])
            return try await order(by: .http)
        }
    }

    private func order(by kind: ChallengeKind) async throws -> IssuedCertificate {
        try await CertificateOrder(
            client, for: names, by: kind, challenges: context.challenges,
            sleep: { [loop] in try await loop.sleep(for: $0) }
        ).run()
    }

    private func useStored() async throws {
        guard let stored = try await store.certificate(for: joinedNames)?.issued,
            stored.chain != chain.withLock({ $0 }), stored.expires > Date()
        else { return }
        do {
            let key = try keys.open(stored.sealed, context: CertificateSecrets.context(ofKeyFor: joinedNames))
            _ = try await use(chain: stored.chain, key: Secret(String(decoding: key, as: UTF8.self)))
        } catch {
            logger.warning("the stored certificate cannot be used, a new one follows", ["error": logText(of: error)])
            try await store.retryCertificate(for: joinedNames)
        }
    }

    /// Shows clients a certificate from now on; when it expires.
    ///
    /// - Throws: `TLSError`; `UnsuitableCertificate`, and the one in use stays.
    private func use(chain: String, key: Secret<String>) async throws -> Date {
        let identity = TLSIdentity(name: "of \(joinedNames)", chain: chain, key: key.reveal())
        let read = try await threads.run { () throws(TLSError) in
            try TLSServerContext(identities: [identity], protocols: []).certificates.first
        }
        guard let certificate = read else { throw TLSError.noIdentity }
        guard certificate.serves(names, at: Date().addingTimeInterval(Self.clockSkew)) else {
            throw UnsuitableCertificate(names: certificate.names, expires: certificate.expires)
        }
        try await threads.run { [context] () throws(TLSError) in try context.use([identity]) }
        self.chain.withLock { $0 = chain }
        return certificate.expires
    }

    /// A certificate of an authority that is not what was asked for.
    private struct UnsuitableCertificate: Error, CustomStringConvertible {
        let names: [String]
        let expires: Date

        var description: String {
            "the certificate is for \(names.joined(separator: ", ")), until \(expires.ISO8601Format())"
        }
    }

    // MARK: http-01

    /// `GET /.well-known/acme-challenge/{token}`, also where everything else is sent to https.
    var route: Route {
        Route(
            .get, "/.well-known/acme-challenge/{token}", operation: Self.operation, audience: .anyHostAndScheme,
            response: { [thumbprint] request in
                guard
                    let answer = ACMEClient.httpAnswer(
                        token: Substring(request.parameters["token"] ?? ""), thumbprint: thumbprint)
                else { return HTTPResponse(.notFound) }
                return HTTPResponse(
                    .ok, fields: ["Content-Type": "application/octet-stream", "Cache-Control": "no-store"],
                    body: .bytes(Array(answer.utf8)))
            })
    }

    private static let operation = Operation(
        "acmeChallenge", "Proof for a certificate authority that this name leads here.", responses: [])
}
