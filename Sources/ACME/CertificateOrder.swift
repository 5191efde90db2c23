package import Crypto
internal import HTTP
package import TLS

/// How names are shown to lead here (RFC 8555, section 8).
package enum ChallengeKind: String, Sendable, CaseIterable {
    /// At port 443, in the handshake (RFC 8737).
    case tlsALPN = "tls-alpn-01"
    /// At port 80, by `ACMEClient.httpAnswer` (section 8.3).
    case http = "http-01"
}

/// A certificate with its private key, both in PEM.
package struct IssuedCertificate: Sendable {
    /// The certificate, followed by the intermediate ones.
    package let chain: String
    package let key: Secret<String>
}

/// One order of a certificate, from its begin to its end (RFC 8555, section 7.4).
package struct CertificateOrder: Sendable {
    private let client: ACMEClient
    private let names: [String]
    private let kind: ChallengeKind
    private let challenges: DomainChallenges
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The longest that an authority is waited for, in steps of 1 to 5 seconds.
    private static let patience = 60

    /// - Parameters:
    ///   - client: The account.
    ///   - names: DNS names, at least one.
    ///   - kind: The way in which all of them are shown to lead here.
    ///   - challenges: Those of the server that the names lead to.
    ///   - sleep: Waits between two questions.
    package init(
        _ client: ACMEClient, for names: [String], by kind: ChallengeKind, challenges: DomainChallenges,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.client = client
        self.names = names
        self.kind = kind
        self.challenges = challenges
        self.sleep = sleep
    }

    /// Gets the certificate, with a new key.
    package func run() async throws(ACMEError) -> IssuedCertificate {
        let identifiers = names.map { JSONValue.object(["type": "dns", "value": .string($0)]) }
        let made = try await client.post(
            try await client.orderURL(), .object(["identifiers": .array(identifiers)]))
        guard let url = made.fields["Location"], let authorizations = made.json["authorizations"]?.array,
            let finalize = made.json["finalize"]?.string
        else { throw .unexpected("order") }
        for authorization in authorizations {
            guard let url = authorization.string else { throw .unexpected("order") }
            try await authorize(url)
        }
        _ = try await wait(url, until: ["ready", "valid"])
        let request: CertificateRequest
        do throws(TLSError) { request = try CertificateRequest(names: names) } catch { throw .tls(error) }
        _ = try await client.post(finalize, ["csr": .string(Base64URL.encode(request.der))])
        let order = try await wait(url, until: ["valid"])
        guard let certificate = order["certificate"]?.string else { throw .unexpected("certificate") }
        let chain = try await client.post(certificate, nil, accepts: "application/pem-certificate-chain")
        return IssuedCertificate(chain: String(decoding: chain.body, as: UTF8.self), key: Secret(request.key))
    }

    /// Shows that one name leads here (section 7.5).
    private func authorize(_ url: String) async throws(ACMEError) {
        let authorization = try await client.post(url, nil).json
        guard authorization["status"]?.string != "valid" else { return }
        guard let name = authorization["identifier"]?["value"]?.string, names.contains(name),
            let offered = authorization["challenges"]?.array
        else { throw .unexpected("authorization") }
        guard let challenge = offered.first(where: { $0["type"]?.string == kind.rawValue }),
            let token = challenge["token"]?.string, let place = challenge["url"]?.string
        else { throw .unexpected("challenge \(kind.rawValue)") }
        if kind == .tlsALPN {
            let proof = ACMEClient.keyAuthorization(token: token, thumbprint: client.thumbprint)
            do throws(TLSError) { try challenges.answer(for: name, digest: SHA256Digest(of: proof).bytes) } catch {
                throw .tls(error)
            }
        }
        defer { challenges.stop(for: name) }
        _ = try await client.post(place, .object([:]))
        do throws(ACMEError) {
            _ = try await wait(url, until: ["valid"])
        } catch .refused(let problem) {
            throw .notValidated(name: name, problem)
        }
    }

    /// Asks for a resource until it has one of these statuses.
    ///
    /// - Throws: `refused` with the reason when it has failed for good.
    private func wait(_ url: String, until statuses: Set<String>) async throws(ACMEError) -> JSONValue {
        for step in 0..<Self.patience {
            let answer = try await client.post(url, nil)
            let json = answer.json
            let status = json["status"]?.string ?? ""
            if statuses.contains(status) { return json }
            guard ["pending", "processing", "ready"].contains(status) else {
                let failed = json["challenges"]?.array?.compactMap { $0["error"] }.first
                throw .refused(ACMEProblem(json["error"] ?? failed, status: nil))
            }
            let wished = answer.fields["Retry-After"].flatMap { Int64($0) } ?? 1
            do { try await sleep(.seconds(step < 5 ? 1 : max(1, min(wished, 5)))) } catch { throw .tooLate }
        }
        throw .tooLate
    }
}
