internal import CNGHTTP2
internal import EventLoops

extension HTTP2Connection {
    /// Makes sure that the timer comes in time for what `stream` waits for now.
    func wait(for stream: HTTP2Stream) {
        guard let limit = context.waitLimits.limit(of: stream.wait, stream) else { return }
        setTimer(notAfter: stream.since.nanoseconds + limit)
    }

    /// The stream's wait begins anew.
    func progressed(_ stream: HTTP2Stream) {
        stream.since = context.clock.now
        wait(for: stream)
    }

    /// Makes sure that the timer comes in time for what the connection waits for. As with `HTTP1Connection` it may come too early:
    /// then it is set anew.
    func updateTimer() {
        for wait in ConnectionWait.allCases {
            if let due = due(wait) { setTimer(notAfter: due) }
        }
    }

    /// What the connection as a whole may wait for, some at once.
    private enum ConnectionWait: CaseIterable { case reader, block, request, announcement, end }

    /// Nil if it does not wait for that.
    private func due(_ wait: ConnectionWait) -> Int64? {
        guard (phase == .serving) != (wait == .end) else { return nil }
        switch wait {
        case .reader: return waitsForReader ? due(.reader, sentAt) : nil
        case .block: return session.blockSince.flatMap { due(.head, $0) }
        case .announcement: return announcedAt.flatMap { due(.end, $0) }
        case .end: return due(.end, since)
        case .request:
            guard session.streams.isEmpty else { return nil }
            // The first request has to come as a head does; the next may take as long as on HTTP/1.1.
            return due(requestCount == 0 ? .head : .request, since)
        }
    }

    private func due(_ wait: Wait, _ since: Moment) -> Int64? {
        context.waitLimits.limit(of: wait, nil).map { since.nanoseconds + $0 }
    }

    private func setTimer(notAfter due: Int64) {
        guard due < timerDue || timer == nil else { return }
        timer?.cancel()
        timerDue = due
        timer = context.schedule(after: .nanoseconds(due - context.clock.now.nanoseconds)) { [self] in timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDue = .max
        turn {
            let now = context.clock.now.nanoseconds
            for wait in ConnectionWait.allCases where due(wait).map({ $0 <= now }) == true { expire(wait) }
            for stream in session.streams.values where !stream.isClosed {
                guard let limit = context.waitLimits.limit(of: stream.wait, stream) else { continue }
                if stream.since.nanoseconds + limit <= now { expire(stream) }
            }
            for stream in session.streams.values where !stream.isClosed { wait(for: stream) }
        }
    }

    private func expire(_ wait: ConnectionWait) {
        switch wait {
        case .reader: isBroken = true
        case .block, .request: terminate(NGHTTP2_NO_ERROR)
        case .announcement: refuseMore()
        case .end: close()
        }
    }

    private func expire(_ stream: HTTP2Stream) {
        switch stream.wait {
        case .body:
            stream.bodyFailure = .tooSlow
            resumeReader(of: stream.number, with: .failure(.tooSlow))
        case .handler:
            stream.task?.cancel()
            send(Response(.handlerTooSlow), stream)
        case .reader:
            // The client opens no window.
            session.reset(stream.streamID, NGHTTP2_CANCEL)
            stream.since = context.clock.now
        case .request, .head, .abandonedHandler, .producer, .rest, .end: break
        }
    }
}
