import EventLoops

@testable import HTTPServer

/// A state machine of HTTP/1.1, and a client whose bytes lie in memory. Its time passes when a test says so.
struct MachineBench {
    var machine: HTTP1StateMachine
    let client = ByteQueue()
    private let buffers = TurnBuffers()
    private(set) var now = Moment(nanoseconds: 0)

    init(_ limits: Limits = Limits(), speaksHTTP2: Bool = true) {
        machine = HTTP1StateMachine(ConnectionLimits(limits, speaksHTTP2: speaksHTTP2), at: now)
        endTurn()
    }

    /// As a performer does at the end of each turn.
    mutating func endTurn() {
        machine.settle(returning: buffers)
        _ = machine.deadline(at: now)
    }

    // MARK: The client

    /// Sends bytes, which are received if they are wanted.
    mutating func send(_ text: String) {
        client.bytes += text.utf8
        becomeReadable()
    }

    /// Ends the client's side.
    mutating func end() {
        client.hasEnded = true
        becomeReadable()
    }

    @discardableResult
    mutating func becomeReadable() -> HTTP1StateMachine.ReadAction {
        let action = machine.readable()
        if action == .receive { machine.receive(from: client, lending: buffers) }
        endTurn()
        return action
    }

    // MARK: The server

    /// The next event: `GET /a`, `refused 400`, `refused 408 HEAD`, `HTTP/2`, or nothing.
    mutating func next(bodyLimit: Int64 = 1 << 20) -> String {
        defer { endTurn() }
        switch machine.next() {
        case .none: return ""
        case .serve(let head):
            machine.accept(bodyLimit: bodyLimit, at: now)
            return head.text(head.layout.method) + " " + head.text(head.layout.target)
        case .refuse(let fault, let isHead): return "refused \(fault.status)\(isHead ? " HEAD" : "")"
        case .switchToHTTP2: return "HTTP/2"
        }
    }

    /// Writes a whole response, which is sent at once unless something waits before it.
    @discardableResult
    mutating func respond(
        _ framing: ResponseHead.Framing = .sized(0), isDraining: Bool = false
    ) -> ResponseHead.Persistence {
        defer { endTurn() }
        let persistence = machine.beginResponse(framing, isDraining: isDraining)
        if machine.completeResponse() { machine.endExchange(isDraining: isDraining, at: now) }
        return persistence
    }

    /// The socket takes everything; what that leads to, in order.
    mutating func drained() -> [HTTP1StateMachine.DrainedAction] {
        machine.hasBacklog = false
        var actions: [HTTP1StateMachine.DrainedAction] = []
        while case let action = machine.drained(at: now), action != .none {
            actions.append(action)
            if action == .finish { machine.endExchange(isDraining: false, at: now) }
        }
        endTurn()
        return actions
    }

    /// Reads what is there of the body: its pieces, then how that ended, such as `wait`.
    mutating func readBody() -> [String] {
        defer { endTurn() }
        var seen: [String] = []
        while true {
            switch machine.nextPiece() {
            case .sendContinue: seen.append("100")
            case .receive(let wanted): machine.receiveBody(from: client, atMost: wanted, at: now)
            case .piece(let bytes): seen.append(String(decoding: bytes, as: UTF8.self))
            case .end: return seen + ["end"]
            case .failed(let error): return seen + ["\(error)"]
            case .wait: return seen + ["wait"]
            }
        }
    }

    /// Time passes, and the timer comes.
    mutating func pass(_ duration: Duration) -> HTTP1StateMachine.TimeoutAction {
        now = now + duration
        defer { endTurn() }
        return machine.timeout(at: now)
    }
}

/// Bytes that a client has sent and nobody has received.
final class ByteQueue: ByteSource {
    var bytes: [UInt8] = []
    var hasEnded = false

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceivedBytes {
        guard !bytes.isEmpty else { return hasEnded ? .end : .blocked }
        let count = min(buffer.count, bytes.count)
        buffer.copyBytes(from: bytes[..<count])
        bytes.removeFirst(count)
        return .bytes(count)
    }
}
