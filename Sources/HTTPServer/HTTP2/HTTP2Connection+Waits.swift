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
        stream.since = .now
        wait(for: stream)
    }

    /// Makes sure that the timer comes in time for what the connection waits for. As with `HTTPConnection` it may come too early:
    /// then it is set anew.
    func updateTimer() {
        for wait in connectionWaits { setTimer(notAfter: wait.due) }
    }

    private enum ConnectionWait { case reader, head, idle, announcement, end }

    private var connectionWaits: [(kind: ConnectionWait, due: Int64)] {
        let limits = context.waitLimits
        func due(_ kind: ConnectionWait, _ wait: Wait, _ since: Moment) -> [(ConnectionWait, Int64)] {
            limits.limit(of: wait, nil).map { [(kind, since.nanoseconds + $0)] } ?? []
        }
        guard phase == .serving else { return due(.end, .end, since) }
        var waits: [(ConnectionWait, Int64)] = []
        if waitsForReader { waits += due(.reader, .reader, sentAt) }
        if let began = session.blockSince { waits += due(.head, .head, began) }
        if let announcedAt { waits += due(.announcement, .end, announcedAt) }
        if session.streams.isEmpty {
            // The first request has to come as a head does; the next may take as long as on HTTP/1.1.
            waits += requestCount == 0 ? due(.head, .head, since) : due(.idle, .request, since)
        }
        return waits
    }

    private func setTimer(notAfter due: Int64) {
        guard due < timerDue || timer == nil else { return }
        timer?.cancel()
        timerDue = due
        timer = context.loop.schedule(after: .nanoseconds(due - Moment.now.nanoseconds)) { [self] in timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerDue = .max
        turn {
            let now = Moment.now.nanoseconds
            for wait in connectionWaits where wait.due <= now { expire(wait.kind) }
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
        case .head, .idle: terminate(NGHTTP2_NO_ERROR)
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
            stream.since = .now
        case .request, .head, .abandonedHandler, .producer, .rest, .end: break
        }
    }
}
