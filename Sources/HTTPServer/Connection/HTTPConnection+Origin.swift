internal import HTTP
internal import Logging

extension HTTPConnection {
    /// Where a request comes from: the connection's other end, or for whom that speaks, if it is trusted.
    func origin(of head: RequestHead) -> Origin {
        guard origin.speaksForOthers else { return origin }
        switch ForwardedFor.read(head, from: origin.client, context.proxies) {
        case .absent: return origin
        case .told(let told): return origin.speaking(for: told)
        case .ignored:
            context.countIgnoredForwarded()
            return origin.speaking(for: .nothing(but: origin.client))
        }
    }

    /// Takes what the request costs out of its sender's buckets; the answer when one has not enough left.
    func charge(_ exchange: Exchange, _ head: RequestHead) -> Response? {
        guard let limiter = context.limiter, let client = exchange.origin?.client,
            let standing = limiter.check(context.plans[exchange.route], client, head)
        else { return nil }
        guard standing.isRefused else {
            exchange.standing = standing
            return nil
        }
        if !origin.speaksForOthers, head.firstValue("x-forwarded-for") != nil || head.firstValue("forwarded") != nil {
            context.warnOfUnknownProxy(origin.client)
        }
        return RateLimitExceeded(standing: standing).response
    }
}
