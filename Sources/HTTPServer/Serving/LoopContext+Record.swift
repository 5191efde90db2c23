internal import EventLoops
internal import Logging

extension LoopContext {
    /// Counts and logs a request that is over. Returns the present moment.
    @discardableResult
    func record(_ exchange: Exchange, status: Int, isCut: Bool, from origin: Origin) -> Moment {
        let now = Moment.now
        let duration = now.nanoseconds - exchange.startedAt.nanoseconds
        counters[exchange.route].record(status: status, nanoseconds: duration)
        if logsAccess {
            let routes = router.routes
            logger.info(
                "request",
                [
                    "method": exchange.method, "path": exchange.path,
                    "route": exchange.route < routes.count ? routes[exchange.route].path : nil, "status": status,
                    "bytes": exchange.bytesSent, "duration": Duration.nanoseconds(duration),
                    "remote": (exchange.origin ?? origin).client.text, "request": exchange.id,
                    "cut": isCut ? true : nil,
                ])
        }
        return now
    }
}
