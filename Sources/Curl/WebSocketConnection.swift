internal import CCurl
internal import Crypto
internal import EventLoops
internal import HTTP

/// A WebSocket over a connection that libcurl has made (CURLOPT_CONNECT_ONLY). Confined to its transport's loop.
///
/// libcurl resolves, checks the address, connects and does TLS as for each request, and gives the connection over: from then on
/// the loop watches its socket, and bytes go through `curl_easy_send` and `curl_easy_recv`, which do not wait.
final class WebSocketConnection: Exchange {
    typealias Opening = CheckedContinuation<Result<Opened, TransportError>, Never>
    typealias Receiving = CheckedContinuation<Result<WebSocketMessage?, TransportError>, Never>
    typealias Sending = CheckedContinuation<TransportError?, Never>

    /// The end of a handshake.
    enum Opened: Sendable {
        case open
        case refused(IncomingResponse)
    }

    private enum State {
        case opening(Opening)
        case open
        /// The server has closed as it should: nil. Else why no byte can be trusted any more.
        case ended(TransportError?)
    }

    private let request: WebSocketRequest
    private let handshake: WebSocketHandshake
    private unowned let loop: EventLoop
    /// Takes the handle from libcurl.
    private let leave: (Multi.ExchangeID) -> Void
    private var state: State
    private var watch: Watch?
    /// For the opening, then for the good-bye.
    private var timer: LoopTimer?

    private var decoder: WebSocketDecoder
    private var head: [UInt8] = []
    /// Messages that nobody has taken yet, and their bytes.
    private var messages: [WebSocketMessage] = []
    private var messageBytes = 0
    private var receiver: (continuation: Receiving, timer: LoopTimer)?

    /// Bytes that the network has not taken, and how many have gone since the beginning.
    private var outgoing: [UInt8] = []
    private var written = 0
    /// Who waits until so many have gone.
    private var senders: [(end: Int, continuation: Sending, timer: LoopTimer)] = []
    private var isClosing = false
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

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
        state = .opening(opening)
        (self.loop, self.leave) = (loop, leave)
        try super.init(
            url: handshake.url,
            guardsAddress: request.addressPolicy == .publicOnly && !options.reachesPrivateAddresses)
        try configureConnection(options, timeout: request.timeout)
        try easy.set(CURLOPT_URL, handshake.url)
        try easy.set(CURLOPT_CONNECT_ONLY, 1)
        // Over TLS nothing but HTTP/1.1 is offered.
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try easy.set(CURLOPT_FRESH_CONNECT, 1)
    }

    deinit { block.deallocate() }

    /// Bounds the opening, connecting included; begins with it.
    func startTimer() {
        timer = loop.schedule(after: request.timeout) { [unowned self] in
            end(.unanswered("\(place): the handshake takes too long"))
        }
    }

    // MARK: The connection

    override func finish(_ code: CURLcode) {
        guard code == CURLE_OK else { return end(error(code)) }
        let socket = easy.get(CURLINFO_ACTIVESOCKET)
        guard let descriptor = Int32(exactly: socket), descriptor > 0 else {
            return end(.notSent("\(place): there is no socket"))
        }
        do throws(EventLoopError) {
            watch = try loop.watch(descriptor, for: [.readable]) { [unowned self] _ in work() }
        } catch {
            return end(.notSent("\(place): the socket cannot be watched"))
        }
        // The first call binds the connection to the handle; one that is bound to none libcurl may close as idle.
        outgoing = handshake.request
        work()
    }

    override func fail(_ error: TransportError) { end(error) }

    private func work() {
        write()
        read()
        updateWatch()
    }

    private func updateWatch() {
        guard let watch else { return }
        var interest: Readiness = []
        if messageBytes < request.maxMessageBytes { interest.insert(.readable) }
        if !outgoing.isEmpty { interest.insert(.writable) }
        watch.update(interest)
    }

    /// Ends it with an error, or in order with nil. A second end does nothing.
    private func end(_ error: TransportError?) {
        if case .ended = state { return }
        let before = state
        state = .ended(error)
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        if case .opening(let continuation) = before {
            continuation.resume(returning: .failure(error ?? .unanswered("\(place): the server has closed")))
        }
        for sender in senders {
            sender.timer.cancel()
            sender.continuation.resume(returning: error ?? .unanswered("\(place): the server has closed"))
        }
        senders = []
        deliver()
        // Not from within a call of libcurl's.
        let (leave, id) = (leave, id)
        leave(id)
    }

    // MARK: Reading

    private func read() {
        while watch != nil, messageBytes < request.maxMessageBytes {
            var count = 0
            switch curl_easy_recv(easy.pointer, block.baseAddress, block.count, &count) {
            case CURLE_OK where count > 0: take(block.prefix(count))
            case CURLE_OK: end(lost("the connection has ended"))
            case CURLE_AGAIN: return
            case let code: end(lost(String(cString: curl_easy_strerror(code))))
            }
        }
    }

    private func lost(_ reason: String) -> TransportError? {
        isClosing ? nil : .unanswered("\(place): \(reason)")
    }

    private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        guard case .opening(let continuation) = state else { return takeFrames(bytes) }
        head += bytes
        switch handshake.read(head) {
        case .incomplete: return
        case .malformed(let reason): end(.unanswered("\(place): \(reason)"))
        case .refused(let response):
            state = .open
            continuation.resume(returning: .success(.refused(response)))
            end(nil)
        case .accepted(let rest):
            state = .open
            head = []
            timer?.cancel()
            timer = nil
            continuation.resume(returning: .success(.open))
            takeFrames(rest)
        }
    }

    private func takeFrames(_ bytes: some Collection<UInt8>) {
        do throws(WebSocketFault) {
            for event in try decoder.read(bytes) {
                switch event {
                case .text(let text): keep(.text(text), bytes: text.utf8.count)
                case .binary(let bytes): keep(.binary(bytes), bytes: bytes.count)
                case .ping(let payload) where outgoing.count < Self.manyUnsent: queue(.pong, payload)
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
        guard case .ended(let error) = state else { return nil }
        return error.map { .failure($0) } ?? .success(nil)
    }

    /// Gives the next message to `continuation`.
    func receive(within limit: Duration, _ continuation: Receiving) {
        precondition(receiver == nil, "two tasks wait for messages of one WebSocket")
        if let result = next() {
            continuation.resume(returning: result)
            // TLS may hold bytes that no socket tells of.
            read()
            return updateWatch()
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
        outgoing += WebSocketEncoder.frame(opcode, payload, mask: randomBytes(count: 4))
        write()
    }

    private func write() {
        while watch != nil, !outgoing.isEmpty {
            var count = 0
            let code = outgoing.withUnsafeBytes { curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &count) }
            switch code {
            case CURLE_OK:
                outgoing.removeFirst(count)
                written += count
            case CURLE_AGAIN: return
            default: return end(lost(String(cString: curl_easy_strerror(code))))
            }
            let done = senders.prefix { $0.end <= written }
            senders.removeFirst(done.count)
            for sender in done {
                sender.timer.cancel()
                sender.continuation.resume(returning: nil)
            }
        }
    }

    /// Sends a text, and tells `continuation` when it has left.
    func send(_ text: String, within limit: Duration, _ continuation: Sending) {
        if case .ended(let error) = state {
            return continuation.resume(returning: error ?? .unanswered("\(place): the server has closed"))
        }
        let frame = WebSocketEncoder.frame(.text, text.utf8, mask: randomBytes(count: 4))
        outgoing += frame
        let timer = loop.schedule(after: limit) { [unowned self] in
            end(.unanswered("\(place): nothing is taken"))
        }
        senders.append((written + outgoing.count, continuation, timer))
        work()
    }

    /// Says good-bye, and ends when the server has answered, or soon.
    func close() {
        guard case .open = state, !isClosing else { return }
        isClosing = true
        timer = loop.schedule(after: Self.farewell) { [unowned self] in end(nil) }
        messages = []
        messageBytes = 0
        queue(.close, [0x03, 0xE8])
        work()
    }
}
