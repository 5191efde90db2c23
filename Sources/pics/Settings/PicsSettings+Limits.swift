import HTTPServer
import Settings

extension ProxyFields: SettingValue {}

extension ProxyRange: SettingValue {
    package static var settingKind: String { "an address, a prefix such as 10.0.0.0/8, or unix" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { text }
}

extension ServedHost: SettingValue {
    package static var settingKind: String { "a host name or address, without a port" }
    package init?(setting text: String) { self.init(text) }
    package var settingText: String { text }
}

/// The settings that bound what a client may take, and say whose word about clients counts.
extension PicsSettings {
    static let trustedProxies = Setting(
        "trusted_proxies", default: [ProxyRange](),
        meaning:
            "Proxies in front of Pics that are trusted to name their clients; unix means those at a unix socket.")
    static let proxyFields = Setting(
        "proxy_fields", default: ProxyFields.any,
        meaning:
            "The header fields in which they name clients; with any, Forwarded and X-Forwarded-For have to agree where both are sent."
    )
    static let proxyProtocol = Setting(
        "proxy_protocol", default: false,
        meaning: "Whether every connection begins with a header of the PROXY protocol, version 2, from a trusted proxy."
    )

    static let requestLineLimit = Setting(
        "request_line_limit", default: ByteCount.kibibytes(8), in: .kibibytes(1)...ByteCount.kibibytes(64),
        meaning: "The longest request line.")
    static let headerLimit = Setting(
        "header_limit", default: ByteCount.kibibytes(32), in: .kibibytes(1)...ByteCount.mebibytes(1),
        meaning: "The header fields of a request together.")
    static let headerCount = Setting(
        "header_count", default: 100, in: 10...10_000, unit: "fields",
        meaning: "The number of header fields of a request.")
    static let bodyLimit = Setting(
        "body_limit", default: ByteCount.mebibytes(1), in: .kibibytes(1)...ByteCount.gibibytes(1),
        meaning: "The largest body of a request without a photo.")
    static let bodyRate = Setting(
        "body_rate", default: ByteCount(bytes: 500), in: ByteCount(bytes: 0)...ByteCount.gibibytes(1),
        meaning:
            "The least rate of a body, in bytes a second on average once body_stall is over; 0B sets none."
    )
    static let writeStall = Setting(
        "write_stall", default: Duration.seconds(30), in: .milliseconds(100)...Duration.seconds(3600),
        meaning: "How long a client may read nothing of a response.")
    static let requestsPerConnection = Setting(
        "requests_per_connection", default: 10_000, in: 1...1_000_000_000, unit: "requests",
        meaning: "How many requests a connection serves before it is closed.")
    static let http2Streams = Setting(
        "http2_streams", default: 100, in: 1...10_000, unit: "requests",
        meaning: "How many requests an HTTP/2 connection may have under way at a time.")
    static let http2Resets = Setting(
        "http2_resets", default: 20, in: 1...100_000, unit: "requests a second",
        meaning:
            "How many requests an HTTP/2 connection may cancel on average, and ten times as many at once; more end it.")

    static let addressRate = Setting(
        "address_rate", default: 600, in: 0...1_000_000, unit: "requests a minute",
        meaning: "How many requests one address may make on average, of IPv6 its first 64 bits; 0 sets no limit.")
    static let addressBurst = Setting(
        "address_burst", default: 1_200, in: 1...10_000_000, unit: "requests",
        meaning: "How many requests one address may make at once.")
    static let tokenRate = Setting(
        "token_rate", default: 1_200, in: 0...1_000_000, unit: "requests a minute",
        meaning: "How many requests one user may make with tokens; 0 sets no limit.")
    static let uploadRate = Setting(
        "upload_rate", default: 120, in: 0...1_000_000, unit: "uploads a minute",
        meaning: "How many photos one user may post; 0 sets no limit.")
    static let pictureRate = Setting(
        "picture_rate", default: 120, in: 0...1_000_000, unit: "pictures a minute",
        meaning: "How many pictures may be rendered for the visits of one address; 0 sets no limit.")
    static let webhookRate = Setting(
        "webhook_rate", default: 30, in: 0...1_000_000, unit: "requests a minute",
        meaning:
            "How often a user may create, change or test webhooks, connect accounts or list albums; 0 sets no limit.")
    static let likeRate = Setting(
        "like_rate", default: 30, in: 0...1_000_000, unit: "likes a minute",
        meaning: "How often visitors from one address may like or take it back; 0 sets no limit.")
    static let visitorRate = Setting(
        "visitor_rate", default: 60, in: 0...1_000_000, unit: "visitors an hour",
        meaning: "How many browsers from one address may like something for the first time; 0 sets no limit.")
    static let registrationRate = Setting(
        "app_registration_rate", default: 60, in: 0...1_000_000, unit: "apps an hour",
        meaning: "How many apps one address may register, which they do before each sign-in; 0 sets no limit.")
    static let webmentionRate = Setting(
        "webmention_rate", default: 60, in: 0...1_000_000, unit: "webmentions a minute",
        meaning: "How many webmentions one address may send; 0 sets no limit.")
    static let wrongTokenRate = Setting(
        "wrong_token_rate", default: 10, in: 0...1_000_000, unit: "tokens a minute",
        meaning: "How many wrong tokens one address may try before it has to wait; 0 sets no limit.")
    static let wrongPasswordRate = Setting(
        "wrong_password_rate", default: 10, in: 0...1_000_000, unit: "passwords a minute",
        meaning: "Wrong passwords that unknown browsers at one address may try; 0 sets no limit.")
    static let wrongPasswordRateOfUser = Setting(
        "wrong_password_rate_of_user", default: 30, in: 0...1_000_000, unit: "passwords an hour",
        meaning: "Wrong passwords for one user, of all unknown browsers and of each known one; 0 sets no limit.")
    static let wrongCodeRateOfUser = Setting(
        "wrong_code_rate_of_user", default: 10, in: 0...1_000_000, unit: "codes an hour",
        meaning: """
            Wrong codes of two-factor sign-in for one user, of all unknown browsers and of each known one; 0 sets no limit. They also count \
            against wrong_password_rate.
            """)
    static let resetRate = Setting(
        "reset_rate", default: 10, in: 0...1_000_000, unit: "links an hour",
        meaning: """
            How often one address may ask for a link for a new password, where there is a mail_server; 0 sets no limit. A user is sent three \
            an hour at most.
            """)
    static let reportRate = Setting(
        "report_rate", default: 10, in: 0...1_000_000, unit: "reports an hour",
        meaning: "How many photos one address may report; 0 sets no limit.")
    static let reportRateOfAll = Setting(
        "report_rate_of_all", default: 300, in: 0...1_000_000, unit: "reports an hour",
        meaning: "How many reports of photos are taken from all addresses together; 0 sets no limit.")
    static let tokensPerUser = Setting(
        "tokens_per_user", default: 100, in: 1...100_000, unit: "tokens",
        meaning: "How many API tokens one user may have, those revoked within a day among them.")
    static let eventsPerUser = Setting(
        "events_per_user", default: 16, in: 1...10_000, unit: "streams",
        meaning: "How many streams of events one user may have open at a process.")
    static let rateBuckets = Setting(
        "rate_buckets", default: 100_000, in: 1_000...10_000_000, unit: "senders",
        meaning: "How many senders are remembered for these limits, at about a hundred bytes each.")

    static let proxies = SettingSection("Proxies", [trustedProxies, proxyFields, proxyProtocol])
    static let requestLimits = SettingSection(
        "Requests",
        [
            requestLineLimit, headerLimit, headerCount, bodyLimit, bodyRate, writeStall, requestsPerConnection,
            http2Streams, http2Resets,
        ])
    static let rates = SettingSection(
        "Rates",
        [
            addressRate, addressBurst, tokenRate, uploadRate, pictureRate, webhookRate, likeRate, visitorRate,
            registrationRate, webmentionRate,
            wrongTokenRate,
            wrongPasswordRate, wrongPasswordRateOfUser, wrongCodeRateOfUser, resetRate, reportRate, reportRateOfAll,
            tokensPerUser, eventsPerUser, rateBuckets,
        ])
}
