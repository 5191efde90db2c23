import API
import Actions
import Apps
import Authentication
import Curl
import HTTPServer
import Push
import Settings
import Store
import Web
import Webhooks

extension RatePolicy.Name {
    /// All requests of one address.
    fileprivate static let address = RatePolicy.Name("address")
}

extension RatePolicy {
    /// As a setting has it: its value is what comes back in a window and, without a `burst`, the quota.
    fileprivate init(
        _ name: Name, _ rate: Setting<Int>, burst: Setting<Int>? = nil, per window: Duration = .seconds(60),
        of key: Key, countsEveryRequest: Bool = false, in configuration: Configuration
    ) {
        let refill = configuration[rate]
        self.init(
            name, quota: burst.map { configuration[$0] } ?? refill, refill: refill, per: window, of: key,
            countsEveryRequest: countsEveryRequest)
    }
}

extension RateLimiter {
    /// The limits of the settings that each process keeps for itself.
    convenience init(_ configuration: Configuration) {
        let hour = Duration.seconds(3600)
        self.init(
            [
                RatePolicy(
                    .address, PicsSettings.addressRate, burst: PicsSettings.addressBurst, of: .address,
                    countsEveryRequest: true, in: configuration),
                RatePolicy(.tokens, PicsSettings.tokenRate, of: .subject, in: configuration),
                RatePolicy(.uploads, PicsSettings.uploadRate, of: .subject, in: configuration),
                RatePolicy(.pictures, PicsSettings.pictureRate, of: .address, in: configuration),
                RatePolicy(.outgoing, PicsSettings.webhookRate, of: .subject, in: configuration),
                RatePolicy(.likes, PicsSettings.likeRate, of: .address, in: configuration),
                RatePolicy(.visitors, PicsSettings.visitorRate, per: hour, of: .address, in: configuration),
                RatePolicy(.registrations, PicsSettings.registrationRate, per: hour, of: .address, in: configuration),
                RatePolicy(.webmentions, PicsSettings.webmentionRate, of: .address, in: configuration),
                RatePolicy(.wrongTokens, PicsSettings.wrongTokenRate, of: .address, in: configuration),
            ], buckets: configuration[PicsSettings.rateBuckets])
    }
}

extension SharedLimits {
    /// The limits of the settings that all processes keep together.
    init(_ configuration: Configuration, store: PicsStore) {
        let hour = Duration.seconds(3600)
        self.init(
            [
                RatePolicy(.wrongPasswords, PicsSettings.wrongPasswordRate, of: .address, in: configuration),
                RatePolicy(.openID, PicsSettings.wrongPasswordRate, of: .address, in: configuration),
                RatePolicy(
                    .wrongPasswordsOfUser, PicsSettings.wrongPasswordRateOfUser, per: hour, of: .subject,
                    in: configuration),
                RatePolicy(
                    .wrongCodes, PicsSettings.wrongCodeRateOfUser, per: hour, of: .subject, in: configuration),
                RatePolicy(.passwordResets, PicsSettings.resetRate, per: hour, of: .address, in: configuration),
                RatePolicy(.reports, PicsSettings.reportRate, per: hour, of: .address, in: configuration),
                RatePolicy(.allReports, PicsSettings.reportRateOfAll, per: hour, of: .subject, in: configuration),
            ], store: store)
    }
}

extension ServerConfiguration {
    /// The limits of clients and the proxies, as the settings have them.
    mutating func limit(by configuration: Configuration, loops: Int) {
        limits.connections = configuration[PicsSettings.connections]
        limits.connectionsPerAddress = configuration[PicsSettings.connectionsPerAddress]
        limits.requestsPerConnection = configuration[PicsSettings.requestsPerConnection]
        limits.http2.streams = configuration[PicsSettings.http2Streams]
        limits.http2.resetsPerSecond = configuration[PicsSettings.http2Resets]
        limits.http2.resets = 10 * limits.http2.resetsPerSecond
        limits.requestLine = configuration[PicsSettings.requestLineLimit].bytes
        limits.headerBytes = configuration[PicsSettings.headerLimit].bytes
        limits.headerCount = configuration[PicsSettings.headerCount]
        limits.headerTime = configuration[PicsSettings.headerTime]
        limits.body = Int64(configuration[PicsSettings.bodyLimit].bytes)
        limits.bodyRate = configuration[PicsSettings.bodyRate].bytes
        limits.bodyStall = configuration[PicsSettings.bodyStall]
        limits.writeStall = configuration[PicsSettings.writeStall]
        limits.idle = configuration[PicsSettings.idleTime]
        limits.handlerTime = configuration[PicsSettings.requestTime]
        trustedProxies = configuration[PicsSettings.trustedProxies]
        proxyFields = configuration[PicsSettings.proxyFields]
        for index in listeners.indices { listeners[index].wantsProxyHeader = configuration[PicsSettings.proxyProtocol] }
        // Beside the loops, the log and the blobs that are open: the database's connections, each picture's child with its
        // pipes and files, each submission with its connection and its file, each receiver of a webhook, each push service, the
        // connections that wait for the next request, and each export with its files.
        descriptorReserve =
            128 + configuration[PicsSettings.databaseConnections] * (loops + 1)
            + 8 * (configuration[PicsSettings.mediaChildren] + 2) + 2 * configuration[PicsSettings.workerJobs]
            + CurlTransport.mostIdleConnections + WebhookSender.Configuration.mostAtOnce
            + PushSender.Configuration.mostAtOnce + 4 * Exports.mostAtOnce
    }
}
