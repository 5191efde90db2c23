internal import CCurl
internal import EventLoops
internal import HTTP

/// The running exchanges and the kept connections: a `CURLM` that is driven by an event loop.
///
/// libcurl says which sockets to watch and when to call again (`curl_multi_socket_action(3)`); the loop does both.
/// Confined to that loop.
final class Multi {
    private let handle: MultiHandle
    private let loop: EventLoop
    private var watches: [curl_socket_t: Watch] = [:]
    private var timer: LoopTimer?
    private var exchanges: [ExchangeID: Exchange] = [:]
    private var lastID: ExchangeID = 0

    typealias ExchangeID = UInt64

    init(on loop: EventLoop) throws(TransportError) {
        handle = try MultiHandle()
        self.loop = loop
        let context = Unmanaged.passUnretained(self).toOpaque()
        pics_curl_multi_set_pointer(handle.pointer, CURLMOPT_SOCKETDATA, context)
        pics_curl_multi_set_pointer(handle.pointer, CURLMOPT_TIMERDATA, context)
        pics_curl_multi_set_socket(handle.pointer) { _, socket, interest, context, _ in
            Multi.from(context)?.watch(socket, for: interest) ?? -1
        }
        pics_curl_multi_set_timer(handle.pointer) { _, milliseconds, context in
            Multi.from(context)?.setTimer(milliseconds)
            return 0
        }
    }

    deinit {
        loop.assertCurrent()
        // The callbacks may not see an object that is going away.
        pics_curl_multi_set_socket(handle.pointer, nil)
        pics_curl_multi_set_timer(handle.pointer, nil)
        timer?.cancel()
        for watch in watches.values { watch.cancel() }
        for id in Array(exchanges.keys) { remove(id)?.fail(.cancelled) }
    }

    // MARK: Exchanges

    func nextID() -> ExchangeID {
        lastID += 1
        return lastID
    }

    func start(_ exchange: Exchange, id: ExchangeID) throws(TransportError) {
        let code = curl_multi_add_handle(handle.pointer, exchange.easy.pointer)
        guard code == CURLM_OK else { throw .notSent(String(cString: curl_multi_strerror(code))) }
        exchange.id = id
        exchanges[id] = exchange
        // By default four for each that runs; between the requests of several posts none may run. Connections in use count too.
        pics_curl_multi_set_long(
            handle.pointer, CURLMOPT_MAXCONNECTS, CurlTransport.mostIdleConnections + exchanges.count)
    }

    /// Ends an exchange that may have ended already.
    func cancel(_ id: ExchangeID) {
        guard let exchange = remove(id) else { return }
        exchange.fail(.cancelled)
    }

    /// Takes a handle from libcurl, which then closes the connection that it keeps; nil when it has left already.
    @discardableResult
    func remove(_ id: ExchangeID) -> Exchange? {
        guard let exchange = exchanges.removeValue(forKey: id) else { return nil }
        curl_multi_remove_handle(handle.pointer, exchange.easy.pointer)
        return exchange
    }

    /// Gives an exchange a block of its body, and lets it go on if it waits for that.
    func receive(_ block: BodyReader.Block, for id: ExchangeID) {
        guard let exchange = exchanges[id], exchange.receive(block) else { return }
        // libcurl then asks for a timer that is due at once, and does the work when it is.
        curl_easy_pause(exchange.easy.pointer, CURLPAUSE_CONT)
    }

    // MARK: What libcurl asks for

    private func watch(_ socket: curl_socket_t, for interest: Int32) -> Int32 {
        let readiness: Readiness
        switch interest {
        case CURL_POLL_IN: readiness = .readable
        case CURL_POLL_OUT: readiness = .writable
        case CURL_POLL_INOUT: readiness = [.readable, .writable]
        default:
            watches.removeValue(forKey: socket)?.cancel()
            return 0
        }
        if let watch = watches[socket] {
            watch.update(readiness)
            return 0
        }
        do throws(EventLoopError) {
            watches[socket] = try loop.watch(socket, for: readiness) { [unowned self] in act(on: socket, $0) }
            return 0
        } catch {
            return -1
        }
    }

    private func setTimer(_ milliseconds: Int) {
        timer?.cancel()
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [unowned self] in
            timer = nil
            act(on: CURL_SOCKET_BAD, [])
        }
    }

    // MARK: What the loop tells

    /// Lets libcurl work; `CURL_SOCKET_BAD` is its `CURL_SOCKET_TIMEOUT` too.
    private func act(on socket: curl_socket_t, _ readiness: Readiness) {
        var events: Int32 = 0
        if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        // Reading tells which error it is; with CURL_CSELECT_ERR alone libcurl would only know that there is one.
        if !readiness.isDisjoint(with: [.hangup, .failure]) { events |= CURL_CSELECT_IN | CURL_CSELECT_ERR }
        var running: Int32 = 0
        BlockingCall.certificates.permit {
            _ = curl_multi_socket_action(handle.pointer, socket, events, &running)
        }
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let exchange = Exchange.of(message.pointee.easy_handle) else {
                continue
            }
            let code = message.pointee.data.result
            if code != CURLE_OK || !(exchange is OpenConnection) { remove(exchange.id) }
            exchange.finish(code)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Multi? {
        context.map { Unmanaged<Multi>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A `CURLM`, freed exactly once, after every easy handle has left it.
struct MultiHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer

    init() throws(TransportError) {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else {
            throw .notSent("libcurl could not be set up")
        }
        self.pointer = pointer
    }

    deinit { curl_multi_cleanup(pointer) }
}
