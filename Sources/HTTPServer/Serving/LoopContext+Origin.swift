internal import HTTP
internal import Logging

extension LoopContext {
    /// Where a request comes from: the connection's other end, or for whom that speaks, if it is trusted.
    func origin(of head: RequestHead, from origin: Origin) -> Origin {
        guard origin.speaksForOthers else { return origin }
        switch ForwardedFor.read(head, from: origin.client, proxies) {
        case .absent: return origin
        case .told(let told): return origin.speaking(for: told)
        case .ignored:
            countIgnoredForwarded()
            return origin.speaking(for: .nothing(but: origin.client))
        }
    }

    /// Takes what the request costs out of its sender's buckets; the answer when one has not enough left.
    func charge(_ exchange: Exchange, _ head: RequestHead, _ origin: Origin?) -> Response? {
        guard let limiter, let origin, let standing = limiter.check(plans[exchange.route], origin.client)
        else { return nil }
        guard standing.isRefused else {
            exchange.standing = standing
            return nil
        }
        if !origin.speaksForOthers, head.firstValue("x-forwarded-for") != nil || head.firstValue("forwarded") != nil {
            warnOfUnknownProxy(origin.client)
        }
        return RateLimitExceeded(standing: standing).response
    }
}
