internal import CCurl
internal import EventLoops
internal import HTTP

/// A connection that libcurl has made and then gives over (CURLOPT_CONNECT_ONLY). Confined to its transport's loop.
///
/// libcurl resolves, checks the address, connects and does TLS as for each request. From then on the loop watches the socket, and bytes
/// go through `curl_easy_send` and `curl_easy_recv`, which do not wait. Subclasses know what the bytes mean.
class OpenConnection: Exchange {
    typealias Sending = CheckedContinuation<TransportError?, Never>

    /// A task that waits until so many bytes have gone.
    private struct Sender {
        let end: Int
        let continuation: Sending
        let timer: LoopTimer
        /// Whether the network was asked to take some of it and did not say no.
        var mayHaveLeft = false
    }

    unowned let loop: EventLoop
    private let timeout: Duration
    /// Takes the handle from libcurl.
    private let leave: (Multi.ExchangeID) -> Void
    private var watch: Watch?
    private var timer: LoopTimer?
    /// Nil while it is open. With an error no byte can be trusted any more; without, it has ended as it should.
    private(set) var ended: Result<Void, TransportError>?

    /// Bytes that the network has not taken, and how many have gone since the beginning.
    private var outgoing: [UInt8] = []
    private var written = 0
    private var senders: [Sender] = []
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

    /// Prepares a connection to the host of `url`; `timeout` bounds the opening, connecting included.
    init(
        url: String, _ policy: AddressPolicy, _ options: CurlOptions, timeout: Duration,
        protocols: String = "http,https", on loop: EventLoop, leave: @escaping (Multi.ExchangeID) -> Void
    ) throws(TransportError) {
        (self.loop, self.timeout, self.leave) = (loop, timeout, leave)
        try super.init(url: url, guardsAddress: policy == .publicOnly && !options.reachesPrivateAddresses)
        try configureConnection(options, timeout: timeout, protocols: protocols)
        try easy.set(CURLOPT_URL, url)
        try easy.set(CURLOPT_CONNECT_ONLY, 1)
        try easy.set(CURLOPT_FRESH_CONNECT, 1)
    }

    deinit { block.deallocate() }

    // MARK: For subclasses

    /// The words for an opening that lasts too long.
    var slowOpening: String { "the connection takes too long" }

    /// Whether more may be read now.
    var takesMore: Bool { true }

    /// The connection stands. The first call of libcurl's binds it to the handle; one that is bound to none libcurl may close as idle.
    func begin() {}

    /// Takes bytes that have come.
    func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {}

    /// The error of an end that nobody has announced; nil where it was to be expected.
    func lost(_ reason: String) -> TransportError? { .unanswered("\(place): \(reason)") }

    /// The error of bytes of which none has left.
    func notSent(_ error: TransportError) -> TransportError { error }

    /// Ends it as its protocol asks; at once where that has no good-bye.
    func close() { end(nil) }

    /// It has ended: told once, after who waits to send was told.
    func hasEnded(_ error: TransportError?) {}

    // MARK: The connection

    var serverHasClosed: TransportError { .unanswered("\(place): the server has closed") }

    /// Bounds the opening, connecting included; begins with it.
    func startOpening() {
        startTimer(timeout) { [unowned self] in end(.unanswered("\(place): \(slowOpening)")) }
    }

    func startTimer(_ limit: Duration, _ body: @escaping () -> Void) {
        timer?.cancel()
        timer = loop.schedule(after: limit, body)
    }

    func stopTimer() {
        timer?.cancel()
        timer = nil
    }

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
        begin()
        work()
    }

    override func fail(_ error: TransportError) { end(error) }

    /// Writes and reads what can be; TLS may hold bytes that no socket tells of.
    func work() {
        write()
        read()
        guard let watch else { return }
        var interest: Readiness = []
        if takesMore { interest.insert(.readable) }
        if !outgoing.isEmpty { interest.insert(.writable) }
        watch.update(interest)
    }

    /// Ends it with an error, or in order with nil. A second end does nothing.
    func end(_ error: TransportError?) {
        guard ended == nil else { return }
        ended = error.map { .failure($0) } ?? .success(())
        watch?.cancel()
        watch = nil
        stopTimer()
        let waiting = senders
        senders = []
        for sender in waiting {
            sender.timer.cancel()
            let error = error ?? serverHasClosed
            sender.continuation.resume(returning: sender.mayHaveLeft ? error : notSent(error))
        }
        hasEnded(error)
        // Not from within a call of libcurl's.
        leave(id)
    }

    // MARK: Bytes

    private func read() {
        while watch != nil, takesMore {
            var count = 0
            switch curl_easy_recv(easy.pointer, block.baseAddress, block.count, &count) {
            case CURLE_OK where count > 0: take(block.prefix(count))
            case CURLE_OK: end(lost("the connection has ended"))
            case CURLE_AGAIN: return
            case let code: end(lost(String(cString: curl_easy_strerror(code))))
            }
        }
    }

    /// Bytes that wait to be sent.
    var unsent: Int { outgoing.count }

    /// Sends bytes that nobody waits for.
    func queue(_ bytes: [UInt8]) {
        outgoing += bytes
        write()
    }

    /// Sends bytes, and tells `continuation` when they have left.
    func send(_ bytes: [UInt8], within limit: Duration, _ continuation: Sending) {
        switch ended {
        case nil: break
        case .success: return continuation.resume(returning: notSent(serverHasClosed))
        case .failure(let error): return continuation.resume(returning: notSent(error))
        }
        outgoing += bytes
        let timer = loop.schedule(after: limit) { [unowned self] in
            end(.unanswered("\(place): nothing is taken"))
        }
        senders.append(Sender(end: written + outgoing.count, continuation: continuation, timer: timer))
        work()
    }

    private func write() {
        while watch != nil, !outgoing.isEmpty {
            var count = 0
            let code = outgoing.withUnsafeBytes { curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &count) }
            guard code == CURLE_OK || code == CURLE_AGAIN else {
                return end(lost(String(cString: curl_easy_strerror(code))))
            }
            // What TLS has not finished may be half on its way.
            for place in senders.indices { senders[place].mayHaveLeft = true }
            guard code == CURLE_OK else { return }
            outgoing.removeFirst(count)
            written += count
            let done = senders.prefix { $0.end <= written }
            senders.removeFirst(done.count)
            for sender in done {
                sender.timer.cancel()
                sender.continuation.resume(returning: nil)
            }
        }
    }
}
