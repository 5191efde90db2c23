internal import CCurl
internal import Crypto
internal import EventLoops
internal import HTTP

/// A WebSocket over a connection that libcurl has made. Confined to its transport's loop.
final class WebSocketConnection: OpenConnection {
    typealias Opening = CheckedContinuation<Result<Opened, TransportError>, Never>
    typealias Receiving = CheckedContinuation<Result<WebSocketMessage?, TransportError>, Never>

    /// The end of a handshake.
    enum Opened: Sendable {
        case open
        case refused(IncomingResponse)
    }

    private let request: WebSocketRequest
    private let handshake: WebSocketHandshake
    /// The task that waits for the end of the handshake; nil afterwards.
    private var opening: Opening?

    private var decoder: WebSocketDecoder
    private var head: [UInt8] = []
    /// Messages that nobody has taken yet, and their bytes.
    private var messages: [WebSocketMessage] = []
    private var messageBytes = 0
    private var receiver: (continuation: Receiving, timer: LoopTimer)?
    private var isClosing = false

    /// How long a server may take to answer a good-bye.
    private static let farewell = Duration.seconds(2)
    /// Unsent bytes from which on pings are not answered: the answer to a later one will do (RFC 6455, section 5.5.3).
    private static let manyUnsent = 64 << 10

    init(
        _ request: WebSocketRequest, _ options: CurlOptions, on loop: EventLoop, _ opening: Opening,
        leave: @escaping (Multi.ExchangeID) -> Void
    ) throws(TransportError) {
        self.request = request
        handshake = try WebSocketHandshake(request, userAgent: options.userAgent)
        decoder = WebSocketDecoder(maxMessageBytes: request.maxMessageBytes)
        self.opening = opening
        try super.init(
            url: handshake.url, request.addressPolicy, options, timeout: request.timeout, on: loop, leave: leave)
        // Over TLS nothing but HTTP/1.1 is offered.
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    // MARK: The connection

    override var slowOpening: String { "the handshake takes too long" }

    override var takesMore: Bool { messageBytes < request.maxMessageBytes }

    override func begin() { queue(handshake.request) }

    override func lost(_ reason: String) -> TransportError? { isClosing ? nil : super.lost(reason) }

    override func hasEnded(_ error: TransportError?) {
        opening?.resume(returning: .failure(error ?? serverHasClosed))
        opening = nil
        deliver()
    }

    // MARK: Reading

    override func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        guard let opening else { return takeFrames(bytes) }
        head += bytes
        switch handshake.read(head) {
        case .incomplete: return
        case .malformed(let reason): end(.unanswered("\(place): \(reason)"))
        case .refused(let response):
            self.opening = nil
            opening.resume(returning: .success(.refused(response)))
            end(nil)
        case .accepted(let rest):
            self.opening = nil
            head = []
            stopTimer()
            opening.resume(returning: .success(.open))
            takeFrames(rest)
        }
    }

    private func takeFrames(_ bytes: some Collection<UInt8>) {
        do throws(WebSocketFault) {
            for event in try decoder.read(bytes) {
                switch event {
                case .text(let text): keep(.text(text), bytes: text.utf8.count)
                case .binary(let bytes): keep(.binary(bytes), bytes: bytes.count)
                case .ping(let payload) where unsent < Self.manyUnsent: queue(.pong, payload)
                case .ping, .pong: break
                case .close(let code):
                    if !isClosing { queue(.close, code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) }
                    end(nil)
                }
            }
        } catch {
            queue(.close, [UInt8(error.code >> 8), UInt8(error.code & 0xFF)])
            let isTooLong = error == .tooLong
            end(isTooLong ? .responseTooLarge(limit: request.maxMessageBytes) : .unanswered("\(place): \(error)"))
        }
        deliver()
    }

    private func keep(_ message: WebSocketMessage, bytes: Int) {
        messages.append(message)
        // An empty one costs memory too.
        messageBytes += bytes + 64
    }

    /// Gives who waits what there is: a message, or the end.
    private func deliver() {
        guard let receiver, let result = next() else { return }
        self.receiver = nil
        receiver.timer.cancel()
        receiver.continuation.resume(returning: result)
    }

    private func next() -> Result<WebSocketMessage?, TransportError>? {
        if !messages.isEmpty {
            let message = messages.removeFirst()
            switch message {
            case .text(let text): messageBytes -= text.utf8.count + 64
            case .binary(let bytes): messageBytes -= bytes.count + 64
            }
            return .success(message)
        }
        return ended?.map { nil }
    }

    /// Gives the next message to `continuation`.
    func receive(within limit: Duration, _ continuation: Receiving) {
        precondition(receiver == nil, "two tasks wait for messages of one WebSocket")
        if let result = next() {
            continuation.resume(returning: result)
            return work()
        }
        let timer = loop.schedule(after: limit) { [unowned self] in
            guard let receiver else { return }
            self.receiver = nil
            receiver.continuation.resume(returning: .failure(.unanswered("\(place): nothing comes")))
        }
        receiver = (continuation, timer)
    }

    // MARK: Writing

    private func queue(_ opcode: WebSocketOpcode, _ payload: some Collection<UInt8>) {
        queue(WebSocketEncoder.frame(opcode, payload, mask: randomBytes(count: 4)))
    }

    /// Says good-bye, and ends when the server has answered, or soon.
    override func close() {
        guard opening == nil, ended == nil, !isClosing else { return }
        isClosing = true
        startTimer(Self.farewell) { [unowned self] in end(nil) }
        messages = []
        messageBytes = 0
        queue(.close, [0x03, 0xE8])
        work()
    }
}
