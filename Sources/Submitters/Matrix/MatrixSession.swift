internal import FoundationEssentials
internal import HTTP

/// The tokens of a login or of a refresh.
///
/// Source: Matrix specification v1.19, `POST /login` and `POST /refresh`; read 2026-11-26.
struct MatrixSession: Sendable {
    let accessToken: String
    /// Nil: the one that was used can be used again.
    let refreshToken: String?
    /// Nil: the access token does not end.
    let expiresAt: Date?

    /// The longest life that a server is believed.
    private static let longestLife: TimeInterval = 366 * 24 * 3600

    /// Nil for a response without a token.
    init?(_ json: JSONValue, _ now: Date) {
        guard let token = json["access_token"]?.string, !token.isEmpty else { return nil }
        accessToken = token
        refreshToken = json["refresh_token"]?.string
        expiresAt = json["expires_in_ms"]?.double.map { now + min(max($0 / 1000, 0), Self.longestLife) }
    }

    /// With the device that logged in. What is renewed replaces all members: `expires_at` is 0 for a token that does not end.
    func credentials(of device: String) -> JSONValue {
        var credentials: JSONObject = [
            "access_token": .string(accessToken), "device": .string(device),
            "expires_at": .double(expiresAt?.timeIntervalSince1970 ?? 0),
        ]
        if let refreshToken { credentials["refresh_token"] = .string(refreshToken) }
        return .object(credentials)
    }

    /// When credentials end; nil when they last.
    static func expiry(of credentials: JSONValue) -> Date? {
        guard let end = credentials["expires_at"]?.double, end > 0 else { return nil }
        return Date(timeIntervalSince1970: end)
    }
}
