internal import Crypto
internal import FoundationEssentials
internal import HTTP

/// The response of `createSession` and `refreshSession`: identity, server of the data, and two tokens.
struct BlueskySession: Sendable {
    let did: String
    let handle: String
    let accessToken: String
    let refreshToken: String
    /// The data server that the account's document names; nil when it does not come along.
    let server: String?

    /// Nil for a response that lacks something.
    init?(_ json: JSONValue) {
        guard let did = json["did"]?.string, let access = json["accessJwt"]?.string,
            let refresh = json["refreshJwt"]?.string
        else { return nil }
        self.did = did
        handle = json["handle"]?.string ?? did
        accessToken = access
        refreshToken = refresh
        server =
            json["didDoc"]?["service"]?.array?
            .first { $0["id"]?.string?.hasSuffix("#atproto_pds") == true }?["serviceEndpoint"]?.string
    }

    var credentials: JSONValue {
        ["access_token": .string(accessToken), "refresh_token": .string(refreshToken)]
    }

    /// When a token ends, as its middle part says (RFC 7519, `exp`); nil when it cannot be read. It is not checked.
    static func expiry(of token: String) -> Date? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { return nil }
        do {
            return try JSONValue(parsing: bytes)["exp"]?.double.map(Date.init(timeIntervalSince1970:))
        } catch {
            return nil
        }
    }
}
