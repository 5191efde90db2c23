extension HTTPConnection {
    /// Where a request comes from: the connection's other end, or for whom that speaks, if it is trusted.
    func origin(of head: RequestHead) -> Origin {
        guard origin.speaksForOthers else { return origin }
        switch ForwardedFor.read(head, from: origin.client, context.proxies) {
        case .absent: return origin
        case .told(let told): return origin.speaking(for: told)
        case .ignored:
            context.countIgnoredForwarded()
            return origin
        }
    }
}
