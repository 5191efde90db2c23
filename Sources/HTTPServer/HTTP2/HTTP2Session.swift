internal import CNGHTTP2
internal import EventLoops
internal import HTTP

/// One `nghttp2_session`: takes frames apart and makes them; no socket, no clock, no task. Confined to its connection.
///
/// nghttp2 calls back while it receives and sends. Those calls only change streams and leave `events`, which the connection
/// deals with afterwards: no Swift error and no suspension passes through C, and nothing is called from within itself.
final class HTTP2Session {
    /// An event that the connection has to look at.
    enum Event {
        /// The header fields of a request are there.
        case opened(HTTP2Stream)
        /// More of a body has come, or its end.
        case body(HTTP2Stream)
        /// The last frame of a response was made.
        case answered(HTTP2Stream)
        /// The stream is gone, with this error code.
        case closed(HTTP2Stream)
        /// The client has answered a ping of ours.
        case ponged
    }

    let context: LoopContext
    let limits: HTTP2Limits
    var events: [Event] = []
    /// Every stream from its request's header fields until `closed` was dealt with.
    var streams: [Int32: HTTP2Stream] = [:]
    var block = HeaderBlock()
    /// The start of a header block whose end has not come.
    var blockSince: Moment?
    /// Why the connection has to end, once the client has done too much of something.
    var excess: StaticString?
    var scanner = FrameScanner()
    var resets: FrameAllowance
    var controls: FrameAllowance
    /// The bytes of streamed responses that wait to be sent.
    var streamedBytes: Int64 = 0

    /// Present while frames are made, for the callbacks.
    private(set) var output: OutputBuffer?
    private var bound = 0
    /// The output was full before everything was made.
    private(set) var isFull = false
    private let handle: OpaquePointer

    init(in context: LoopContext) {
        self.context = context
        limits = context.limits.http2
        let now = context.clock.now
        resets = FrameAllowance(burst: limits.resets, perSecond: limits.resetsPerSecond, at: now)
        controls = FrameAllowance(burst: limits.controlFrames, perSecond: limits.controlFramesPerSecond, at: now)
        var pointer: OpaquePointer?
        nghttp2_session_server_new2(&pointer, HTTP2Setup.shared.callbacks, nil, HTTP2Setup.shared.options)
        // Swift itself ends the process when it gets no memory.
        guard let pointer else { fatalError("no memory for a session of HTTP/2") }
        handle = pointer
        nghttp2_session_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
        submitSettings()
    }

    deinit { nghttp2_session_del(handle) }

    private func submitSettings() {
        let values: [(nghttp2_settings_id, Int)] = [
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.streams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Int(limits.streamWindow)),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, context.limits.headerBytes),
            // The tree of RFC 7540 is work for nobody's good; streams take turns (RFC 9218).
            (NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
        ]
        let entries = values.map {
            nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32(clamping: $0.1))
        }
        nghttp2_submit_settings(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        nghttp2_session_set_local_window_size(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, limits.connectionWindow)
    }

    // MARK: Receiving and sending

    /// Takes in what the client has sent; false when the connection cannot go on, which GOAWAY then says.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count(bytes)
        guard excess == nil else {
            terminate(NGHTTP2_ENHANCE_YOUR_CALM)
            return false
        }
        let count = nghttp2_session_mem_recv(
            handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard excess == nil else {
            terminate(NGHTTP2_ENHANCE_YOUR_CALM)
            return false
        }
        guard count < 0 else { return true }
        switch Int32(count) {
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
            terminate(NGHTTP2_PROTOCOL_ERROR)
        case NGHTTP2_ERR_FLOODED.rawValue, NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue,
            NGHTTP2_ERR_TOO_MANY_SETTINGS.rawValue:
            excess = "frames"
            terminate(NGHTTP2_ENHANCE_YOUR_CALM)
        default:
            terminate(NGHTTP2_INTERNAL_ERROR)
        }
        return false
    }

    /// Makes frames until there are no more, or `output` holds `bound` bytes: then `isFull`. False when that failed.
    func fill(_ output: OutputBuffer, upTo bound: Int) -> Bool {
        self.output = output
        self.bound = bound
        isFull = false
        defer { self.output = nil }
        while !isFull {
            var frame: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(handle, &frame)
            guard count >= 0 else { return false }
            if count > 0 {
                output.append(UnsafeRawBufferPointer(start: frame, count: count))
                isFull = output.count >= bound
            } else if !isFull {
                break
            }
        }
        return true
    }

    /// Puts a DATA frame into the output; what the callback has to return.
    func writeData(_ frameHead: UnsafePointer<UInt8>, _ count: Int, of stream: HTTP2Stream) -> Int32 {
        guard let output else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        let start = output.count
        output.append(UnsafeRawBufferPointer(start: frameHead, count: 9))
        guard stream.output.move(count, to: output) else {
            output.truncate(to: start)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        stream.bytesSent += Int64(count)
        stream.since = context.clock.now
        if stream.isStreamed { streamedBytes -= Int64(count) }
        // A client may answer each with an update of two windows.
        controls.give(2)
        isFull = output.count >= bound
        return isFull ? NGHTTP2_ERR_PAUSE.rawValue : 0
    }

    var wantsToRead: Bool { nghttp2_session_want_read(handle) != 0 }
    var wantsToWrite: Bool { nghttp2_session_want_write(handle) != 0 }
    /// The frames that wait to be sent, beside DATA.
    var queuedFrames: Int { nghttp2_session_get_outbound_queue_size(handle) }

    // MARK: What is to be sent

    /// Sends the head that was written into `text` as HTTP/1.1 has it, and empties it. The body is `stream.output`.
    func submitHead(in text: OutputBuffer, of stream: HTTP2Stream, withBody: Bool) {
        let status = text.withHeadFields { fields in
            guard withBody else {
                return nghttp2_submit_response(handle, stream.streamID, fields.baseAddress, fields.count, nil)
            }
            var provider = nghttp2_data_provider()
            provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
            provider.read_callback = HTTP2Callbacks.readBody
            return nghttp2_submit_response(handle, stream.streamID, fields.baseAddress, fields.count, &provider)
        }
        if status != 0 { reset(stream.streamID, NGHTTP2_INTERNAL_ERROR) }
    }

    /// Sends an interim response that was written into `text` as HTTP/1.1 has it, and empties it.
    func submitInterim(in text: OutputBuffer, of stream: HTTP2Stream) {
        text.withHeadFields { fields in
            _ = nghttp2_submit_headers(
                handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.streamID, nil, fields.baseAddress, fields.count, nil)
        }
    }

    /// Sends the fields behind a body whose last frame is being made, and with them the end. Returns whether that can be.
    func submitTrailers(of stream: HTTP2Stream) -> Bool {
        var text: [UInt8] = []
        var lengths: [(name: Int, value: Int)] = []
        for field in stream.trailers {
            text += field.name.lowercased().utf8
            text += field.value.utf8
            lengths.append((field.name.utf8.count, field.value.utf8.count))
        }
        return text.withUnsafeMutableBufferPointer { text in
            var start = 0
            let fields = lengths.map { length in
                defer { start += length.name + length.value }
                let name = text.baseAddress?.advanced(by: start)
                return nghttp2_nv(
                    name: name, value: name?.advanced(by: length.name), namelen: length.name, valuelen: length.value,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
            }
            return nghttp2_submit_trailer(handle, stream.streamID, fields, fields.count) == 0
        }
    }

    /// There is something to send again, or the end.
    func resume(_ stream: HTTP2Stream) {
        guard stream.isDeferred else { return }
        stream.isDeferred = false
        nghttp2_session_resume_data(handle, stream.streamID)
    }

    func reset(_ stream: Int32, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    /// Opens the windows by what a handler has taken.
    func consume(_ stream: Int32, _ count: Int) { nghttp2_session_consume(handle, stream, count) }

    /// Opens the connection's window by what nobody takes.
    func consume(_ count: Int) { nghttp2_session_consume_connection(handle, count) }

    /// Streams of one client take turns, whatever it says of their urgency.
    func share(_ stream: Int32) {
        var priority = nghttp2_extpri(urgency: UInt32(NGHTTP2_EXTPRI_DEFAULT_URGENCY), inc: 1)
        nghttp2_session_change_extpri_stream_priority(handle, stream, &priority, 1)
    }

    // MARK: The end

    /// Says that no more requests should come, and asks for a response to know when that has arrived.
    func announceEnd() {
        nghttp2_submit_shutdown_notice(handle)
        nghttp2_submit_ping(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Takes no more requests; those that are there go on.
    func refuseMore() {
        nghttp2_submit_goaway(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(handle),
            NGHTTP2_NO_ERROR.rawValue, nil, 0)
    }

    /// Ends everything after a last GOAWAY.
    func terminate(_ code: nghttp2_error_code) { nghttp2_session_terminate_session(handle, code.rawValue) }
}

extension HTTP2Session {
    /// Counts the frames that cost work and bring nothing.
    func count(_ bytes: UnsafeRawBufferPointer) {
        var scanner = scanner
        scanner.scan(bytes) { head in count(head) }
        self.scanner = scanner
    }

    private func count(_ head: FrameScanner.FrameHead) {
        switch UInt32(head.type) {
        case NGHTTP2_DATA.rawValue:
            guard head.length == 0, head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0 else { return }
        case NGHTTP2_CONTINUATION.rawValue:
            // Its fields are counted; an empty one has none.
            guard head.length == 0 else { return }
        case NGHTTP2_RST_STREAM.rawValue:
            if !resets.take(at: context.clock.now) { excess = excess ?? "resets" }
            return
        // A frame that opens a stream gets its token back (`open`).
        default: break
        }
        if !controls.take(at: context.clock.now) { excess = excess ?? "control frames" }
    }

    /// A whole frame has come, and nghttp2 has found nothing wrong with it.
    func received(_ frame: nghttp2_frame) {
        let hasEnded = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(frame.hd.type) {
        case NGHTTP2_HEADERS.rawValue:
            blockSince = nil
            if frame.headers.cat == NGHTTP2_HCAT_REQUEST {
                open(frame.hd.stream_id, hasEnded: hasEnded)
            } else if hasEnded {
                // Trailers say nothing to anybody here.
                endBody(frame.hd.stream_id)
            }
        case NGHTTP2_DATA.rawValue:
            if hasEnded { endBody(frame.hd.stream_id) }
        case NGHTTP2_PING.rawValue:
            if frame.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 { events.append(.ponged) }
        default: break
        }
    }

    private func open(_ id: Int32, hasEnded: Bool) {
        let opening: Result<RequestStart, RequestFault>
        do throws(RequestFault) {
            let head = try block.head(context.connectionLimits.parser, hasEnded: hasEnded)
            opening = .success(try RequestStart(head, in: context))
        } catch {
            opening = .failure(error)
        }
        let stream = HTTP2Stream(id, opening, isHead: block.isHead, hasEnded: hasEnded, in: context)
        block.removeAll()
        streams[id] = stream
        share(id)
        // The token of the frame itself, and a few for frames that may come along.
        controls.give(3)
        events.append(.opened(stream))
    }

    /// Bytes of a body have come.
    func received(_ bytes: UnsafeBufferPointer<UInt8>, of id: Int32) {
        guard let stream = streams[id], !stream.isClosed, !stream.isRecorded, stream.body.failure == nil else {
            return consume(bytes.count)
        }
        do throws(BodyError) {
            try stream.body.receive(bytes.count)
            stream.pending += bytes
        } catch {
            // Fields beyond the limit are of no use, nor are those before.
            stream.body.failure = error
            consume(stream.pending.count + bytes.count)
            stream.pending = []
        }
        note(stream)
    }

    private func endBody(_ id: Int32) {
        guard let stream = streams[id] else { return }
        stream.body.end()
        note(stream)
    }

    /// One event for all that comes of a body at a time.
    private func note(_ stream: HTTP2Stream) {
        if case .body(let last)? = events.last, last === stream { return }
        events.append(.body(stream))
    }
}
