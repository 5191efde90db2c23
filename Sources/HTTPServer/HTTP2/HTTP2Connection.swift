internal import CNGHTTP2
internal import EventLoops
internal import HTTP
internal import Logging

/// A connection that speaks HTTP/2 (RFC 9113), confined to its event loop.
///
/// It lives in turns, as `HTTP1Connection` does: whatever happens changes the state, then what that leads to is done, then
/// frames are made and sent with as few calls as possible. Frames are made only when the socket takes them, so what waits
/// for a slow client are the streams' own bodies, and these are bounded.
actor HTTP2Connection: Connection {
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
    /// What the socket did not take yet, and whether there is anything.
    var outbound = OutboundQueue()
    var hasBacklog = false
    /// The socket took less than it was given; it will say when it takes more.
    var isBlocked = false
    /// The socket failed.
    var isBroken = false
    /// The last GOAWAY is on its way; what comes is dropped.
    var isEnding = false
    /// The client has ended its side.
    var peerHasEnded = false
    /// A turn is on its way that sends what handlers have answered.
    var isGathering = false
    /// What this connection may still receive and send before others have their turn.
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
    func open(insteadOf connection: any Connection, received: [UInt8]) {
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
        repeat { dealWithEvents() } while flush()
        self.buffers = nil
        context.giveBack(buffers)
        if isBroken { cut() }
        guard phase != .closed else { return }
        updateTimer()
        updateInterest()
    }

    /// A turn whose frames go out together with those of the other handlers that are ready now.
    func gatheringTurn(_ work: () -> Void) {
        guard taskCount > 1, buffers == nil, phase != .closed else { return turn(work) }
        let buffers = context.takeBuffers()
        self.buffers = buffers
        work()
        self.buffers = nil
        context.giveBack(buffers)
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
            if readiness.contains(.writable) { isBlocked = false }
            if readiness.contains(.readable), !isBroken { receive() }
        }
    }

    private func dealWithEvents() {
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

    /// Everything is sent. What the client still sends is read for a while: closing a socket with unread bytes resets the
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
        hasBacklog = false
        context.remove(self, group: origin.countedGroup)
    }
}
