package import Crypto
package import HTTP
internal import System

/// An account at a certificate authority that speaks ACME (RFC 8555).
///
/// Requests are signed by the account's key (section 6.2), and each carries a nonce of an earlier answer (section 6.5). The
/// directory is named by the operator, so its addresses are reached wherever they are.
package final class ACMEClient: Sendable {
    /// Where the authority takes what.
    private struct Directory: Sendable {
        let nonce: String
        let account: String
        let order: String
    }

    /// An answer that was no problem.
    struct Answer: Sendable {
        let body: [UInt8]
        let fields: HTTPFields

        /// Null when it is no JSON.
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }

    private struct State: Sendable {
        var directory: Directory?
        var account: String?
        var nonces: [String] = []
    }

    /// A nonce is refused when the authority was restarted, and now and then for practice: more often than this in a row is a fault.
    private static let attempts = 8

    private let directoryURL: String
    private let key: SigningKey
    private let contact: [String]
    private let transport: any Transport
    private let state = Lock(State())

    /// - Parameters:
    ///   - directory: The URL of the authority's directory (section 7.1.1).
    ///   - key: The account's. The account is made at the first order unless the authority knows the key.
    ///   - contact: Where the authority writes about the account: URLs, `mailto:` ones usually.
    ///   - transport: Trusts the authority's certificate.
    package init(directory: String, key: SigningKey, contact: [String], transport: any Transport) {
        directoryURL = directory
        self.key = key
        self.contact = contact
        self.transport = transport
    }

    /// What proves at `http://{name}/.well-known/acme-challenge/{token}`, and in the challenge's certificate, that this account's
    /// owner holds the name (section 8.1).
    static func keyAuthorization(token: String, thumbprint: String) -> String { "\(token).\(thumbprint)" }

    /// The answer to `http-01` for any order of the account of this thumbprint: no state is needed. Nil for what is no token.
    package static func httpAnswer(token: Substring, thumbprint: String) -> String? {
        let isToken =
            (1...200).contains(token.utf8.count)
            && token.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isToken ? keyAuthorization(token: String(token), thumbprint: thumbprint) : nil
    }

    var thumbprint: String { key.thumbprint }

    /// Where new orders go.
    func orderURL() async throws(ACMEError) -> String { try await directory().order }

    // MARK: Requests

    /// Sends a signed request as the account, which is made first if need be.
    ///
    /// - Parameters:
    ///   - url: One of the authority's.
    ///   - payload: Nil reads the resource (POST-as-GET, section 6.3).
    ///   - accepts: The media type that is wanted.
    /// - Returns: The answer, whose status is a success.
    /// - Throws: `refused` with the authority's problem, or why there is no answer.
    func post(
        _ url: String, _ payload: JSONValue?, accepts: String = "application/json"
    ) async throws(ACMEError) -> Answer {
        let account = try await account()
        return try await send(url, payload, member: "kid", .string(account), accepts: accepts)
    }

    /// The account's URL: of the one that the key has, or of a new one (section 7.3).
    private func account() async throws(ACMEError) -> String {
        if let known = state.withLock({ $0.account }) { return known }
        let key: JSONValue
        do { key = try JSONValue(parsing: Array(self.key.publicJWK.utf8)) } catch {
            throw .unexpected("usable key")
        }
        var payload: JSONObject = ["termsOfServiceAgreed": true]
        if !contact.isEmpty { payload["contact"] = .array(contact.map { .string($0) }) }
        let answer = try await send(try await directory().account, .object(payload), member: "jwk", key)
        guard let url = answer.fields["Location"] else { throw .unexpected("account") }
        state.withLock { $0.account = url }
        return url
    }

    private func directory() async throws(ACMEError) -> Directory {
        if let known = state.withLock({ $0.directory }) { return known }
        let answer = try await read(OutgoingRequest(url: directoryURL, timeout: .seconds(30), addressPolicy: .any))
        let json = answer.json
        guard let nonce = json["newNonce"]?.string, let account = json["newAccount"]?.string,
            let order = json["newOrder"]?.string
        else { throw .unexpected("directory") }
        let directory = Directory(nonce: nonce, account: account, order: order)
        state.withLock { $0.directory = directory }
        return directory
    }

    private func send(
        _ url: String, _ payload: JSONValue?, member: String, _ signer: JSONValue, accepts: String = "application/json"
    ) async throws(ACMEError) -> Answer {
        var attempt = 1
        while true {
            var protected: JSONObject = ["alg": "ES256", "nonce": .string(try await nonce()), "url": .string(url)]
            protected[member] = signer
            let body = try sign(.object(protected), payload)
            do {
                return try await read(
                    OutgoingRequest(
                        method: .post, url: url,
                        fields: ["Content-Type": "application/jose+json", "Accept": accepts], body: .bytes(body),
                        timeout: .seconds(60), addressPolicy: .any))
            } catch .refused(let problem) where problem.kind == "badNonce" && attempt < Self.attempts {
                attempt += 1
            }
        }
    }

    /// A request as a JSON web signature (section 6.2); no payload is the empty text.
    private func sign(_ protected: JSONValue, _ payload: JSONValue?) throws(ACMEError) -> [UInt8] {
        let head = Base64URL.encode(protected.serialized)
        let content = payload.map { Base64URL.encode($0.serialized) } ?? ""
        do throws(CryptoError) {
            let signature = try key.sign(Array("\(head).\(content)".utf8))
            let whole: JSONValue = [
                "protected": .string(head), "payload": .string(content),
                "signature": .string(Base64URL.encode(signature)),
            ]
            return whole.serialized
        } catch {
            throw .crypto(error)
        }
    }

    /// One that an answer has brought, or a new one.
    private func nonce() async throws(ACMEError) -> String {
        if let kept = state.withLock({ $0.nonces.popLast() }) { return kept }
        let url = try await directory().nonce
        _ = try await read(
            OutgoingRequest(method: .head, url: url, timeout: .seconds(30), addressPolicy: .any))
        guard let fresh = state.withLock({ $0.nonces.popLast() }) else { throw .unexpected("nonce") }
        return fresh
    }

    /// Keeps the nonce of every answer, also of a refusal.
    private func read(_ request: OutgoingRequest) async throws(ACMEError) -> Answer {
        let response: IncomingResponse
        do throws(TransportError) { response = try await transport.send(request) } catch { throw .transport(error) }
        if let nonce = response.fields["Replay-Nonce"] { state.withLock { $0.nonces = [nonce] } }
        let answer = Answer(body: response.body, fields: response.fields)
        guard (200..<300).contains(response.status.code) else {
            throw .refused(ACMEProblem(answer.json, status: response.status, fields: response.fields))
        }
        return answer
    }
}
