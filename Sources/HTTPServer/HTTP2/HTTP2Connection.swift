internal import CNGHTTP2
internal import EventLoops
internal import HTTP
internal import Logging

/// A connection that speaks HTTP/2 (RFC 9113), confined to its event loop.
///
/// It lives in turns, as one of HTTP/1.1 does: whatever happens changes the state, then what that leads to is done, then
/// frames are made and sent with as few calls as possible. Frames are made only when the socket takes them, so what waits
/// for a slow client are the streams' own bodies, and these are bounded.
actor HTTP2Connection: ServingConnection {
    nonisolated let context: LoopContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    enum Phase {
        case serving
        /// Everything was sent; until the client ends its side, what it sends is dropped.
        case lingering
        case closed
    }

    let socket: StreamSocket
    let origin: Origin
    let role: ListenerConfiguration.Role
    let session: HTTP2Session

    var phase = Phase.serving
    var requestCount = 0
    /// The tasks of handlers that have not ended, whether or not their client still waits.
    var taskCount = 0
    /// The streams whose producers wait for room.
    var writers: [HTTP2Stream] = []
    /// The bytes that the socket did not take yet.
    var outbound = OutboundQueue()
    /// The socket failed.
    var isBroken = false
    /// The last GOAWAY is on its way; what comes is dropped.
    var isEnding = false
    /// The client has ended its side.
    var peerHasEnded = false
    /// A turn is on its way that sends what handlers have answered.
    var isGathering = false
    /// The bytes that this connection may still send before others have their turn.
    var share = OutboundQueue.share
    /// The bytes dropped since the connection ends.
    var dropped: Int64 = 0

    /// Present during a turn.
    var buffers: TurnBuffers?
    var watch: Watch?
    var watchesReading = true
    var watchesWriting = false

    var timer: (any ServerTimer)?
    var timerDue = Int64.max
    /// Since when there is no stream, or the connection lingers.
    var since: Moment
    /// When the socket last took something, or was asked to.
    var sentAt: Moment
    /// When the client was told that the end is near, until it has heard.
    var announcedAt: Moment?

    init(
        _ socket: StreamSocket, from origin: Origin, as role: ListenerConfiguration.Role, in context: LoopContext
    ) {
        self.socket = socket
        self.origin = origin
        self.role = role
        self.context = context
        session = HTTP2Session(in: context)
        since = context.clock.now
        sentAt = since
    }

    /// Begins to serve; admission has been granted.
    func open() {
        context.add(self)
        begin([])
    }

    /// Goes on where `connection` has found that its client speaks HTTP/2, with what it has received.
    func open(insteadOf connection: any ServedConnection, received: [UInt8]) {
        context.replace(connection, by: self)
        begin(received)
    }

    private func begin(_ received: [UInt8]) {
        do throws(EventLoopError) {
            watch = try context.loop.watch(socket.descriptor, for: .readable) { [self] readiness in ready(readiness) }
            turn {
                if context.isDraining { session.refuseMore() }
                received.withUnsafeBytes { take($0) }
            }
        } catch {
            context.logger.warning("connection not served", ["error": error])
            close()
        }
    }

    // MARK: A turn

    func turn(_ work: () -> Void) {
        guard buffers == nil else { return work() }
        guard phase != .closed else { return }
        let buffers = context.takeBuffers()
        self.buffers = buffers
        work()
        repeat { handleEvents() } while flush()
        self.buffers = nil
        context.recycle(buffers)
        if isBroken { cut() }
        guard phase != .closed else { return }
        updateTimer()
        updateInterest()
    }

    /// A turn whose frames go out together with those of the other handlers that are ready now.
    func responseTurn(_ work: () -> Void) {
        guard taskCount > 1, buffers == nil, phase != .closed else { return turn(work) }
        let buffers = context.takeBuffers()
        self.buffers = buffers
        work()
        self.buffers = nil
        context.recycle(buffers)
        guard !isGathering else { return }
        isGathering = true
        Task(executorPreference: context.loop) { await self.sendGathered() }
    }

    private func sendGathered() {
        isGathering = false
        turn {}
    }

    private func ready(_ readiness: Readiness) {
        turn {
            share = OutboundQueue.share
            if readiness.contains(.failure) || readiness.contains(.hangup) { isBroken = true }
            if readiness.contains(.writable) { outbound.isBlocked = false }
            if readiness.contains(.readable), !isBroken { receive() }
        }
    }

    private func handleEvents() {
        while !session.events.isEmpty {
            var events: [HTTP2Session.Event] = []
            swap(&events, &session.events)
            for event in events {
                switch event {
                case .opened(let stream): begin(stream)
                case .body(let stream): serveReader(stream)
                case .answered(let stream): finish(stream)
                case .closed(let stream): forget(stream)
                case .ponged: refuseMore()
                }
            }
        }
    }

    // MARK: Requests

    /// Tasks of requests that were given up count until they have ended, so that giving up and asking again gains nothing.
    func mayRun(_ stream: HTTP2Stream) -> Bool {
        guard taskCount < session.limits.streams else {
            session.reset(stream.streamID, NGHTTP2_REFUSED_STREAM)
            return false
        }
        taskCount += 1
        return true
    }

    func taskEnded() { taskCount -= 1 }

    /// The response's last frame is made.
    func finish(_ stream: HTTP2Stream) {
        guard !stream.isRecorded else { return }
        stream.isRecorded = true
        context.record(stream, status: stream.status, isCut: false, from: origin)
        guard !stream.body.isComplete else { return }
        // RFC 9113, section 8.1: what is left of the body need not be sent.
        session.consume(stream.pending.count)
        stream.pending = []
        session.reset(stream.streamID, NGHTTP2_NO_ERROR)
    }

    /// The stream is gone.
    func forget(_ stream: HTTP2Stream) {
        abandon(stream)
        session.streams[stream.streamID] = nil
        if session.streams.isEmpty { since = context.clock.now }
    }

    /// Tells the tasks of a stream that their work is in vain, unless all is done.
    ///
    /// The stream stays with the session, which may ask it once more for its body.
    func abandon(_ stream: HTTP2Stream) {
        stream.isClosed = true
        if !stream.isRecorded {
            stream.isRecorded = true
            stream.task?.cancel()
            context.record(stream, status: stream.status == 0 ? 499 : stream.status, isCut: true, from: origin)
        }
        stream.task = nil
        if let waiter = stream.bodyWaiter {
            stream.bodyWaiter = nil
            waiter.resume(returning: .failure(.incomplete))
        }
        stopWriting(stream)
        session.consume(stream.pending.count)
        stream.pending = []
        if stream.isStreamed { session.streamedBytes -= stream.output.count }
        stream.output.removeAll()
    }

    // MARK: The end

    /// Lets the requests that are there, or on their way, end. The client is told at once, also where it has none.
    func drain(keepsIdle: Bool) {
        turn {
            guard phase == .serving, !isEnding, announcedAt == nil else { return }
            guard !session.streams.isEmpty else { return session.refuseMore() }
            announcedAt = context.clock.now
            session.announceEnd()
        }
    }

    /// The client has heard that the end is near: what it sends from now on it may send again elsewhere.
    func refuseMore() {
        guard announcedAt != nil else { return }
        announcedAt = nil
        session.refuseMore()
    }

    /// Gives up every request; the client learns from the last GOAWAY why.
    func terminate(_ code: nghttp2_error_code) {
        session.terminate(code)
        end()
    }

    func end() {
        isEnding = true
        for stream in session.streams.values { abandon(stream) }
    }

    /// Everything is sent. The client's further bytes are read for a while: closing a socket with unread bytes resets the
    /// connection and may destroy the GOAWAY on its way.
    func endWriting() {
        end()
        guard !peerHasEnded else { return close() }
        socket.endWriting()
        phase = .lingering
        since = context.clock.now
    }

    /// Ends at once: handlers are cancelled.
    func cut() {
        guard phase != .closed else { return }
        end()
        close()
    }

    func close() {
        guard phase != .closed else { return }
        end()
        phase = .closed
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        socket.close()
        outbound.removeAll()
        context.remove(self, group: origin.countedGroup)
    }
}

// MARK: - Deadlines

extension HTTP2Connection {
    /// Makes sure that the timer comes in time for what `stream` waits for now.
    func wait(for stream: HTTP2Stream) {
        guard let limit = context.connectionLimits.limit(of: stream.wait, stream.body) else { return }
        setTimer(notAfter: stream.since.nanoseconds + limit)
    }

    /// The stream's wait begins anew.
    func progressed(_ stream: HTTP2Stream) {
        stream.since = context.clock.now
        wait(for: stream)
    }

    /// Makes sure that the timer comes in time for what the connection waits for. As on HTTP/1.1 it may come too early:
    /// then it is set anew.
    func updateTimer() {
        for wait in ConnectionWait.allCases {
            if let due = due(wait) { setTimer(notAfter: due) }
        }
    }

    /// The events that the connection as a whole may wait for, some at once.
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
        context.connectionLimits.limit(of: wait).map { since.nanoseconds + $0 }
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
                guard let limit = context.connectionLimits.limit(of: stream.wait, stream.body) else { continue }
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
            stream.body.failure = .tooSlow
            resumeReader(of: stream.number, with: .failure(.tooSlow))
        case .handler:
            stream.task?.cancel()
            send(HTTPResponse(.handlerTooSlow), stream)
        case .reader:
            // The client opens no window.
            session.reset(stream.streamID, NGHTTP2_CANCEL)
            stream.since = context.clock.now
        case .request, .head, .abandonedHandler, .producer, .rest, .end: break
        }
    }
}
