internal import EventLoops
internal import HTTP
internal import Logging

/// The state that the connections of one loop share.
///
/// `@unchecked Sendable`: everything that changes is touched on the loop only.
final class LoopContext: @unchecked Sendable {
    let loop: EventLoop
    let clock: any ServerClock
    let router: Router
    let limits: Limits
    let connectionLimits: ConnectionLimits
    let responder: Responder
    let admission: Admission
    let logger: Logger
    /// Nil where requests are not logged.
    private let accessLog: AccessLog?
    /// `Strict-Transport-Security: …` as a whole line, empty when nothing is said (RFC 6797, section 6.1).
    let strictTransportLine: [UInt8]
    let proxies: TrustedProxies
    let limiter: RateLimiter?
    /// The price of a request of each route, then of one without a route.
    let plans: [RoutePlan]
    /// The answers to pages of other origins, each for a part of the server.
    let cors: [CORSResponder]
    let problemPages: ProblemPages?
    let problemForms: [ProblemForm]
    /// Which hosts are served; nil means all.
    let hosts: HostPolicy?
    /// The last `Host` that was served to everybody: most requests have the same.
    private var servedHost: [UInt8] = []
    /// Made for the first response that is compressed.
    private(set) lazy var gzip = GzipEncoder()

    private(set) var connections: [ObjectIdentifier: any ServedConnection] = [:]
    /// One for each route, then one for all that no route answers.
    let counters: [RouteCounter]
    private var acceptedCount = 0
    private var refusedCount = 0
    private var refusedProxyHeaderCount = 0
    private var ignoredForwardedCount = 0
    private var unknownProxy: PeerAddress?
    private var hasWarnedOfProxy = false
    var isDraining = false
    /// Resumed when the last connection is gone.
    var whenEmpty: [CheckedContinuation<Void, Never>] = []

    private var ids = RequestIDs()
    private var spare: TurnBuffers?
    private var dateSecond: Int64 = 0
    private var date: [UInt8] = []

    init(
        loop: EventLoop, router: Router, configuration: ServerConfiguration, admission: Admission, logger: Logger,
        responder: Responder
    ) {
        self.loop = loop
        clock = configuration.clock
        self.router = router
        self.responder = responder
        self.admission = admission
        self.logger = logger
        limits = configuration.limits
        connectionLimits = ConnectionLimits(limits, speaksHTTP2: configuration.http2)
        let seconds = configuration.strictTransport.components.seconds
        strictTransportLine = seconds > 0 ? Array("Strict-Transport-Security: max-age=\(seconds)\r\n".utf8) : []
        accessLog = configuration.accessLog && logger.writes(.info) ? AccessLog(logger, on: loop) : nil
        proxies = TrustedProxies(configuration.trustedProxies, fields: configuration.proxyFields)
        limiter = configuration.rateLimiter
        plans = limiter?.plans(for: router.routes) ?? []
        cors = configuration.cors.map { CORSResponder($0, router) }
        problemPages = configuration.problemPages
        problemForms = configuration.problemForms
        hosts = configuration.hosts
        counters = (0...router.routes.count).map { _ in RouteCounter() }
    }

    /// Calls `action` on the loop after `delay`, unless cancelled before.
    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any ServerTimer {
        clock.schedule(after: delay, on: loop, action)
    }

    func makeRequestID() -> String { RequestIDs.text(ids.next()) }

    var metrics: ServerMetrics {
        var metrics = ServerMetrics(
            openConnections: connections.count, acceptedConnections: acceptedCount, refusedConnections: refusedCount,
            refusedProxyHeaders: refusedProxyHeaderCount, ignoredForwarded: ignoredForwardedCount,
            unknownProxy: unknownProxy?.text)
        metrics.routes = router.routes.enumerated().map { counters[$0].metrics(method: $1.method, path: $1.path) }
        metrics.routes.append(counters[router.routes.count].metrics(method: nil, path: "*"))
        return metrics
    }

    // MARK: Hosts

    /// Whether this `Host` is the one that was served to everybody last.
    func isServed(_ host: ArraySlice<UInt8>) -> Bool { !host.isEmpty && host.elementsEqual(servedHost) }

    func noteServed(_ host: ArraySlice<UInt8>) { servedHost = Array(host) }

    // MARK: For a turn

    /// Buffers for a turn; a turn within a turn of another connection gets its own.
    func takeBuffers() -> TurnBuffers {
        defer { spare = nil }
        return spare ?? TurnBuffers()
    }

    func recycle(_ buffers: TurnBuffers) { spare = buffers }

    /// The line `Date: …` of this second.
    var dateLine: [UInt8] {
        let now = clock.secondsSince1970
        if now != dateSecond {
            dateSecond = now
            date = Array("Date: \(HTTPDate(secondsSince1970: now))\r\n".utf8)
        }
        return date
    }

    // MARK: Connections

    func add(_ connection: any ServedConnection) {
        connections[ObjectIdentifier(connection)] = connection
        acceptedCount += 1
    }

    /// A connection goes on as another kind; to everybody else it is the same.
    func replace(_ connection: any ServedConnection, by other: any ServedConnection) {
        connections[ObjectIdentifier(connection)] = nil
        connections[ObjectIdentifier(other)] = other
    }

    func countRefused() { refusedCount += 1 }

    func countRefusedProxyHeader() { refusedProxyHeaderCount += 1 }

    func countIgnoredForwarded() { ignoredForwardedCount += 1 }

    /// Many clients share the limits of one address when the proxy in front of them is not known: the operator hears it once.
    func warnOfUnknownProxy(_ peer: PeerAddress) {
        guard !hasWarnedOfProxy else { return }
        hasWarnedOfProxy = true
        logger.warning(
            "requests refused whose sender seems to be a proxy: if it is yours, name it in trusted_proxies",
            ["address": peer.text])
    }

    func remove(_ connection: any ServedConnection, group: PeerAddress.Group?) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        admission.leave(group)
        guard connections.isEmpty else { return }
        for waiter in whenEmpty { waiter.resume() }
        whenEmpty = []
    }
}

extension LoopContext {
    /// The origin of a request: the connection's peer, or the client of a trusted proxy.
    func origin(of head: RequestHead, from origin: Origin) -> Origin {
        guard origin.speaksForOthers else {
            if unknownProxy == nil, head.layout.mentions.contains(.forwarded), origin.client.ip?.isNear == true {
                unknownProxy = origin.client
            }
            return origin
        }
        switch ForwardedFor.read(head, from: origin.client, proxies) {
        case .absent: return origin
        case .told(let told): return origin.speaking(for: told)
        case .ignored:
            countIgnoredForwarded()
            return origin.speaking(for: .nothing(but: origin.client))
        }
    }

    /// Takes what the request costs out of its sender's buckets; the response when one has not enough left.
    func charge(_ exchange: Exchange, _ head: RequestHead, _ origin: Origin?) -> HTTPResponse? {
        guard let limiter, let origin, let rateLimit = limiter.check(plans[exchange.route], origin.client)
        else { return nil }
        guard rateLimit.isRefused else {
            exchange.rateLimit = rateLimit
            return nil
        }
        if !origin.speaksForOthers, head.layout.mentions.contains(.forwarded) { warnOfUnknownProxy(origin.client) }
        return RateLimitExceeded(rateLimit: rateLimit).response
    }
}

extension LoopContext {
    /// Counts and logs a request that is over. Returns the present moment.
    @discardableResult
    func record(_ exchange: Exchange, status: Int, isCut: Bool, from origin: Origin) -> Moment {
        let now = clock.now
        let duration = now.nanoseconds - exchange.startedAt.nanoseconds
        counters[exchange.route].record(status: status, nanoseconds: duration)
        if let accessLog {
            let routes = router.routes
            accessLog.add { line in
                line.add("method", exchange.method.rawValue)
                line.add("path", exchange.path)
                line.add("route", exchange.route < routes.count ? routes[exchange.route].path : nil)
                line.add("status", Int64(status))
                line.add("bytes", exchange.bytesSent)
                line.add("duration", nanoseconds: duration)
                line.add("remote", (exchange.origin ?? origin).client.text)
                line.add("request", exchange.id)
                if isCut { line.add("cut") }
            }
        }
        return now
    }
}
