internal import EventLoops
internal import Glibc
internal import HTTP
internal import Logging

/// What the connections of one loop share.
///
/// `@unchecked Sendable`: everything that changes is touched on the loop only.
final class LoopContext: @unchecked Sendable {
    let loop: EventLoop
    let router: Router
    let limits: Limits
    let parserLimits: RequestParser.Limits
    let waitLimits: WaitLimits
    let responder: Responder
    let admission: Admission
    let logger: Logger
    let logsAccess: Bool
    let speaksHTTP2: Bool

    private(set) var connections: [ObjectIdentifier: any Connection] = [:]
    /// One for each route, then one for all that no route answers.
    let counters: [RouteCounter]
    private var acceptedCount = 0
    private var refusedCount = 0
    var isDraining = false
    /// Resumed when the last connection is gone.
    var whenEmpty: [CheckedContinuation<Void, Never>] = []

    private var ids = RequestIDs()
    private var spare: Workspace?
    private var dateSecond = 0
    private var date: [UInt8] = []

    init(
        loop: EventLoop, router: Router, configuration: ServerConfiguration, admission: Admission, logger: Logger,
        responder: Responder
    ) {
        self.loop = loop
        self.router = router
        self.responder = responder
        self.admission = admission
        self.logger = logger
        limits = configuration.limits
        parserLimits = limits.parser
        waitLimits = WaitLimits(limits)
        speaksHTTP2 = configuration.http2
        logsAccess = configuration.accessLog && logger.writes(.info)
        counters = (0...router.routes.count).map { _ in RouteCounter() }
    }

    func makeRequestID() -> String { RequestIDs.text(ids.next()) }

    var metrics: ServerMetrics {
        var metrics = ServerMetrics(
            openConnections: connections.count, acceptedConnections: acceptedCount, refusedConnections: refusedCount)
        metrics.routes = router.routes.enumerated().map { counters[$0].metrics(method: $1.method, path: $1.path) }
        metrics.routes.append(counters[router.routes.count].metrics(method: nil, path: "*"))
        return metrics
    }

    // MARK: For a turn

    /// A workspace for a turn; a turn within a turn of another connection gets one of its own.
    func takeWorkspace() -> Workspace {
        defer { spare = nil }
        return spare ?? Workspace()
    }

    func giveBack(_ workspace: Workspace) { spare = workspace }

    /// The line `Date: …` of this second.
    var dateLine: [UInt8] {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        if now.tv_sec != dateSecond {
            dateSecond = now.tv_sec
            date = Array("Date: \(HTTPDate(secondsSince1970: Int64(now.tv_sec)))\r\n".utf8)
        }
        return date
    }

    // MARK: Connections

    func add(_ connection: any Connection) {
        connections[ObjectIdentifier(connection)] = connection
        acceptedCount += 1
    }

    /// A connection goes on as another kind; to everybody else it is the same.
    func replace(_ connection: any Connection, by other: any Connection) {
        connections[ObjectIdentifier(connection)] = nil
        connections[ObjectIdentifier(other)] = other
    }

    func countRefused() { refusedCount += 1 }

    func remove(_ connection: any Connection, group: PeerAddress.Group?) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        admission.leave(group)
        guard connections.isEmpty else { return }
        for waiter in whenEmpty { waiter.resume() }
        whenEmpty = []
    }
}
