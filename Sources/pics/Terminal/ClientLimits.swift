import API
import Actions
import Apps
import Authentication
import HTTPServer
import Push
import Settings
import Web
import Webhooks

extension RatePolicy.Name {
    /// All requests of one address.
    fileprivate static let address = RatePolicy.Name("address")
}

extension RateLimiter {
    /// The limits of the settings.
    convenience init(_ configuration: Configuration) {
        func policy(
            _ name: RatePolicy.Name, _ rate: Setting<Int>, burst: Int? = nil, per window: Duration = .seconds(60),
            of key: RatePolicy.Key, countsEveryRequest: Bool = false
        ) -> RatePolicy {
            let rate = configuration[rate]
            return RatePolicy(
                name, quota: burst ?? rate, refill: rate, per: window, of: key,
                countsEveryRequest: countsEveryRequest)
        }
        self.init(
            [
                policy(
                    .address, PicsSettings.addressRate, burst: configuration[PicsSettings.addressBurst], of: .address,
                    countsEveryRequest: true),
                policy(.tokens, PicsSettings.tokenRate, of: .subject),
                policy(.uploads, PicsSettings.uploadRate, of: .subject),
                policy(.pictures, PicsSettings.pictureRate, of: .address),
                policy(.outgoing, PicsSettings.webhookRate, of: .subject),
                policy(.likes, PicsSettings.likeRate, of: .address),
                policy(.visitors, PicsSettings.visitorRate, per: .seconds(3600), of: .address),
                policy(.registrations, PicsSettings.registrationRate, per: .seconds(3600), of: .address),
                policy(.webmentions, PicsSettings.webmentionRate, of: .address),
                policy(.wrongTokens, PicsSettings.wrongTokenRate, of: .address),
                policy(.wrongPasswords, PicsSettings.wrongPasswordRate, of: .address),
                policy(
                    .wrongPasswordsOfUser, PicsSettings.wrongPasswordRateOfUser, per: .seconds(3600), of: .subject),
                policy(.passwordResets, PicsSettings.resetRate, per: .seconds(3600), of: .address),
            ], buckets: configuration[PicsSettings.rateBuckets])
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
        // pipes and files, each submission with its connection and its file, each receiver of a webhook, each push service, and each
        // export with its files.
        descriptorReserve =
            128 + configuration[PicsSettings.databaseConnections] * (loops + 1)
            + 8 * (configuration[PicsSettings.mediaChildren] + 2) + 2 * configuration[PicsSettings.workerJobs]
            + WebhookSender.Configuration.mostAtOnce + PushSender.Configuration.mostAtOnce + 4 * Exports.mostAtOnce
    }
}
