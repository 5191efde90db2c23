internal import EventLoops

/// The course of a connection of HTTP/1.1 as a value (RFC 9112): what happened goes in, the next step comes out.
///
/// It does no I/O, reads no clock and starts nothing. `HTTP1Connection` tells it what happened, with the present moment where
/// that counts, and performs the one action that is returned; what that leads to is the next call. Requests are served one
/// after the other: the next is parsed when the response before it is complete, and sent or written behind it.
///
///     reading ──request──▶ handling ──response──▶ sending ──all sent──┬──▶ reading      goes on, the body was read
///        │                                                           ├──▶ discarding   goes on behind the body's rest
///        │                                                           └──▶ closing      does not go on
///        └──client ended, drain──▶ closing ──all sent──▶ lingering ──client ended, deadline──▶ (ending)
///
/// | What happened | Call | Actions |
/// |---|---|---|
/// | The socket can be read | `readable` | receive, serve the body's reader, stop watching |
/// | Bytes, the client's end | `receive`, `receiveBody` | |
/// | A request may be there | `next` | serve it, refuse it, go on as HTTP/2 |
/// | The body's reader asks | `nextPiece` | a piece, 100 Continue, receive, wait, the end, a failure |
/// | A response begins, goes on, ends | `beginResponse`, `write`, `completeResponse` | the framing of each |
/// | Everything written was sent | `drained` | resume the producer, finish the exchange, end the writing side |
/// | A deadline may have passed | `timeout` | refuse, respond, fail the body, cancel the handler |
/// | The server stops | `drain` | |
///
/// `ending` says when the connection is over, `deadline` when to call `timeout`, `wantsToRead` and `wantsToWrite` what to watch.
struct HTTP1StateMachine {
    private let limits: ConnectionLimits
    private(set) var state = State.reading
    private(set) var ending = Ending.none
    /// In the states `handling`, `sending` and `discarding`.
    private(set) var request = ActiveRequest()
    /// The requests so far, those that were refused included.
    private(set) var requestCount: UInt64 = 0
    /// Whether something that was written waits for the socket; the performer knows.
    var hasBacklog = false
    /// The bytes that this connection may still receive and send before others have their turn.
    var share = OutboundQueue.share

    private var input = HTTP1Input()
    /// Nothing can be on the way from the client any more: closing needs no lingering.
    private var isOver = false
    /// The bytes dropped in the states `discarding` and `lingering`.
    private var dropped: Int64 = 0
    private var wait = Wait.request
    /// When the present wait began, or made progress.
    private var since: Moment

    init(_ limits: ConnectionLimits, at now: Moment) {
        self.limits = limits
        since = now
    }

    /// The socket failed, or the response cannot be completed.
    mutating func fail() { ending = .cut }

    /// The socket is closed: nobody needs what was received.
    mutating func discardInput() { input.removeAll() }

    /// Closes the connection when nothing is under way; what has arrived is still served.
    mutating func drain() {
        if state == .reading, input.isEmpty { state = .closing }
    }

    // MARK: Receiving

    /// Bytes are there, or the client has ended its side.
    mutating func readable() -> ReadAction {
        input.mayHaveMore = true
        guard wantsToRead else { return .stopWatching }
        return state == .handling && !request.body.isComplete ? .serveReader : .receive
    }

    /// Whether what the client sends has a use now; if not, it stays in the kernel and slows the client down.
    var wantsToRead: Bool {
        guard !input.hasEnded else { return false }
        switch state {
        case .reading: return !hasBacklog
        case .handling, .sending: return request.hasReader || request.body.isComplete && input.count < Self.readAhead
        case .discarding, .lingering: return true
        case .closing: return false
        }
    }

    /// The bytes of later requests that are taken in while one is being served.
    private static let readAhead = 16 << 10

    var wantsToWrite: Bool { hasBacklog || request.hasWriter }

    /// Takes in what is there, into memory that is lent until `settle`.
    mutating func receive(from source: some ByteSource, lending buffers: TurnBuffers) {
        if input.receive(from: source, lending: buffers) == .failed { fail() }
        switch state {
        case .reading, .handling, .sending, .closing: return
        case .discarding: discard()
        case .lingering:
            dropped += Int64(input.count)
            input.removeAll()
            if dropped > limits.lingerBytes { close() }
        }
        // Elsewhere a client that has ended its side may still read, so it gets what it has asked for.
        if input.hasEnded, state == .discarding || state == .lingering { close() }
    }

    /// Gives lent memory back; what is left of the input moves into memory of its own.
    mutating func settle(returning buffers: TurnBuffers) { input.settle(returning: buffers) }

    private mutating func close() {
        if ending == .none { ending = .close }
    }

    // MARK: Requests

    /// The next request, if it has come and may be served.
    mutating func next() -> RequestAction {
        guard state == .reading, !hasBacklog, ending == .none else { return .none }
        do throws(RequestFault) {
            guard !input.isEmpty, let head = try input.nextHead(limits.parser) else {
                if input.hasEnded { state = .closing }
                return .none
            }
            state = .handling
            requestCount += 1
            request = ActiveRequest(head.layout)
            if requestCount >= limits.requests { request.persists = false }
            return .serve(head)
        } catch {
            if error == .versionNotSupported, requestCount == 0, limits.speaksHTTP2, input.isHTTP2 {
                return .switchToHTTP2
            }
            return .refuse(error, isHead: refuseInput())
        }
    }

    /// The request goes to its handler, or has its response already. Its body may have `bodyLimit` bytes.
    mutating func accept(bodyLimit: Int64, at now: Moment) {
        request.body.limit = bodyLimit
        since = now
    }

    /// The request is answered with a fault, and the connection closes.
    mutating func refuse() { request = ActiveRequest() }

    /// Refuses what is in the input. Returns whether it is HEAD, which is known once the request line has come.
    private mutating func refuseInput() -> Bool {
        state = .handling
        requestCount += 1
        request = ActiveRequest()
        return input.isHeadRequest
    }

    /// Hands over everything that was received and not used.
    mutating func takeInput() -> [UInt8] { input.takeAll() }

    // MARK: The request's body

    /// The next piece of the body for its reader; only when settled.
    mutating func nextPiece() -> PieceAction {
        if let failure = request.body.failure { return .failed(failure) }
        if owesContinue() { return .sendContinue }
        do throws(BodyError) {
            if let piece = try input.take(of: &request.body) { return .piece(piece) }
        } catch {
            return fail(body: error)
        }
        if request.body.isComplete { return .end }
        if input.hasEnded || ending != .none { return fail(body: .incomplete) }
        guard input.mayHaveMore, share > 0 else { return .wait }
        // A piece ends where a multiple of its size of the body ends: written to a file as it is, it fills whole pages.
        let room = Self.pieceSize - request.body.received % Self.pieceSize
        return .receive(atMost: Int(min(request.body.announcedRest ?? room, room)))
    }

    private static let pieceSize: Int64 = 64 << 10

    private mutating func fail(body error: BodyError) -> PieceAction {
        request.body.failure = error
        return .failed(error)
    }

    /// Whether `nextPiece` is worth a call.
    var hasNews: Bool {
        !input.isEmpty || input.mayHaveMore && share > 0 || request.body.isComplete || request.body.failure != nil
            || input.hasEnded || ending != .none
    }

    /// Whether 100 Continue has to be written now, before somebody waits for the body. After the final response there is
    /// nothing to continue.
    mutating func owesContinue() -> Bool {
        request.body.takeContinue(hasBegun: !input.isEmpty || request.response.hasBegun)
    }

    /// Receives a part of the body into memory of its own, which is then handed on.
    mutating func receiveBody(from source: some ByteSource, atMost wanted: Int, at now: @autoclosure () -> Moment) {
        switch input.receiveBody(from: source, atMost: wanted) {
        case .bytes(let count):
            share -= Int64(count)
            // Any byte begins the present wait anew.
            progressed(at: now())
        case .blocked, .end: break
        case .failed: fail()
        }
    }

    /// A reader waits from now on.
    mutating func readerWaits() { request.hasReader = true }

    /// The reader goes on.
    mutating func readerResumes(at now: Moment) {
        progressed(at: now)
        request.hasReader = false
    }

    /// The time that a reader has waited so far counts for the least rate.
    private mutating func progressed(at now: Moment) {
        if request.hasReader { request.body.waited += now.nanoseconds - since.nanoseconds }
        since = now
    }

    /// Drops what has come of a body that nobody reads; the next request follows it.
    private mutating func discard() {
        do throws(BodyError) {
            dropped += try input.drop(of: &request.body)
        } catch {
            state = .closing
        }
        if dropped > limits.drainedBody { state = .closing }
        if request.body.isComplete, state == .discarding { state = .reading }
    }

    // MARK: The response

    /// A response begins, complete or not. Returns what its head says of the connection.
    mutating func beginResponse(_ framing: ResponseHead.Framing, isDraining: Bool) -> ResponseHead.Persistence {
        if framing == .untilClose || isDraining || !canSkipBody { request.persists = false }
        request.response = .streaming(framing)
        guard request.persists else { return .close }
        return request.isHTTP10 ? .announced : .implied
    }

    /// Whether what is left of the request's body can be read and dropped, so that the connection goes on.
    private var canSkipBody: Bool {
        let body = request.body
        if body.isComplete { return true }
        // A client that waits for 100 may send its body or not: nobody knows where the next request begins.
        guard body.failure == nil, !body.owesContinue, !body.isAnnouncedTooLarge else { return false }
        return (body.announcedRest ?? 0) <= limits.drainedBody
    }

    /// A producer makes the response, whose head waits for its first bytes.
    mutating func awaitProducer() { request.response = .pending }

    /// A piece of a streamed response is to be written. Returns how; nil when it does not fit the declared length.
    mutating func write(_ count: Int) -> ResponseHead.Framing? {
        guard case .streaming(let framing) = request.response else { return ResponseHead.Framing.none }
        return request.response.advance(by: count) ? framing : nil
    }

    /// Whether a producer that has written so much waits until the client has taken it and others have had their turn.
    mutating func pausesProducer(after count: Int) -> Bool {
        share -= Int64(count)
        return hasBacklog || share <= 0
    }

    /// A producer waits from now on.
    mutating func writerWaits() { request.hasWriter = true }

    /// The response is written. Returns whether it was sent as well: then `endExchange` follows at once.
    mutating func completeResponse() -> Bool {
        request.response = .complete
        state = .sending
        return !hasBacklog
    }

    /// The client has taken some of what waited.
    mutating func sent(at now: Moment) { since = now }

    /// Everything that was written was sent.
    ///
    /// - Returns: The next step, until there is none. `finish` is followed by `endExchange`.
    mutating func drained(at now: @autoclosure () -> Moment) -> DrainedAction {
        if request.hasWriter, share > 0 {
            request.hasWriter = false
            return .resumeProducer
        }
        guard state != .sending else { return .finish }
        guard state == .closing, ending == .none else { return .none }
        guard !isOver, !input.hasEnded else {
            close()
            return .none
        }
        // The client's further bytes are read for a while, because closing a socket with unread bytes resets the connection
        // and may destroy the response on its way (RFC 9112, section 9.6).
        input.removeAll()
        dropped = 0
        state = .lingering
        since = now()
        return .endWriting
    }

    /// Whether `next` has something to look at.
    var hasInput: Bool { state == .reading && (!input.isEmpty || input.hasEnded) }

    /// The response was sent.
    mutating func endExchange(isDraining: Bool, at now: Moment) {
        since = now
        request.hasReader = false
        if !request.persists || isDraining {
            state = .closing
            // Nothing can be on the way from a client that has announced its end.
            isOver = request.clientCloses && request.body.isComplete && input.isEmpty
        } else if request.body.isComplete {
            state = .reading
        } else {
            dropped = 0
            state = .discarding
            discard()
        }
    }

    // MARK: Deadlines

    /// When to call `timeout`, in nanoseconds of `Moment`; nil when what is waited for may take as long as it likes.
    mutating func deadline(at now: @autoclosure () -> Moment) -> Int64? {
        let present = presentWait
        if present != wait {
            wait = present
            // The step before a wait for a request or a handler has set the moment already.
            if present != .request, present != .handler { since = now() }
        }
        return limits.limit(of: wait, request.body).map { since.nanoseconds + $0 }
    }

    private var presentWait: Wait {
        switch state {
        case .reading: return hasBacklog ? .reader : input.isEmpty ? .request : .head
        case .sending, .closing: return .reader
        case .discarding: return .rest
        case .lingering: return .end
        case .handling:
            if request.hasReader { return .body }
            if request.hasWriter { return .reader }
            if request.response.isStreaming { return .producer }
            return input.hasEnded && !request.isAbandoned ? .abandonedHandler : .handler
        }
    }

    /// A deadline may have passed.
    mutating func timeout(at now: Moment) -> TimeoutAction {
        guard let limit = limits.limit(of: wait, request.body), since.nanoseconds + limit <= now.nanoseconds else {
            return .none
        }
        switch wait {
        case .request, .rest, .end: close()
        case .reader: fail()
        case .head: return .refuse(.tooSlow, isHead: refuseInput())
        case .body:
            request.body.failure = .tooSlow
            return .failBody(.tooSlow)
        case .handler:
            request.persists = false
            return .respond(.handlerTooSlow)
        case .abandonedHandler:
            request.isAbandoned = true
            since = now
            return .cancelHandler
        case .producer: break
        }
        return .none
    }
}
