internal import CNGHTTP2
internal import EventLoops

/// The functions that nghttp2 calls: each finds its session and leaves word there.
enum HTTP2Callbacks {
    private static func session(_ data: UnsafeMutableRawPointer?) -> HTTP2Session? {
        data.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    static let beginHeaders: nghttp2_on_begin_headers_callback = { _, _, data in
        guard let session = session(data) else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        session.block.removeAll()
        session.blockSince = session.context.clock.now
        return 0
    }

    static let header: nghttp2_on_header_callback = { _, _, name, nameCount, value, valueCount, _, data in
        guard let session = session(data) else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        let isBearable = session.block.add(
            UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount),
            session.context.connectionLimits.parser)
        guard !isBearable else { return 0 }
        session.excess = session.excess ?? "header fields"
        return NGHTTP2_ERR_PAUSE.rawValue
    }

    static let invalidHeader: nghttp2_on_invalid_header_callback = { _, _, _, _, _, _, _, data in
        session(data)?.block.refuse(.malformed("A field name or value holds a character that it may not hold."))
        return 0
    }

    static let frame: nghttp2_on_frame_recv_callback = { _, frame, data in
        guard let frame, let session = session(data) else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        session.received(frame.pointee)
        return 0
    }

    static let invalidFrame: nghttp2_on_invalid_frame_recv_callback = { _, _, _, data in
        session(data)?.blockSince = nil
        return 0
    }

    static let data: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, data in
        guard let session = session(data) else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
        session.received(UnsafeBufferPointer(start: bytes, count: count), of: id)
        return 0
    }

    static let sent: nghttp2_on_frame_send_callback = { _, frame, data in
        guard let head = frame?.pointee.hd, let session = session(data) else { return 0 }
        let mayEnd = head.type == NGHTTP2_DATA.rawValue || head.type == NGHTTP2_HEADERS.rawValue
        guard mayEnd, head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
            let stream = session.streams[head.stream_id]
        else { return 0 }
        session.events.append(.answered(stream))
        return 0
    }

    static let closed: nghttp2_on_stream_close_callback = { _, id, _, data in
        guard let session = session(data), let stream = session.streams[id] else { return 0 }
        stream.isClosed = true
        session.events.append(.closed(stream))
        return 0
    }

    static let readBody: nghttp2_data_source_read_callback = { _, _, _, wanted, flags, source, data in
        guard let pointer = source?.pointee.ptr, let flags else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let stream = Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
        let output = stream.output
        guard !output.isEmpty || output.hasEnded else {
            stream.isDeferred = true
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        // The bytes go straight into the connection's output (`sendData`).
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        let count = min(output.count, Int64(wanted))
        guard output.hasEnded, count == output.count else { return Int(count) }
        flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        guard !stream.trailers.isEmpty else { return Int(count) }
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
        guard session(data)?.submitTrailers(of: stream) == true else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        return Int(count)
    }

    static let sendData: nghttp2_send_data_callback = { _, _, frameHead, count, source, data in
        guard let frameHead, let pointer = source?.pointee.ptr, let session = session(data) else {
            return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
        }
        let stream = Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
        return session.writeData(frameHead, count, of: stream)
    }
}

/// The callbacks and options of all sessions; nghttp2 copies from it and never changes it.
///
/// `@unchecked Sendable`: written once, before anybody sees it.
final class HTTP2Setup: @unchecked Sendable {
    static let shared = HTTP2Setup()

    let callbacks: OpaquePointer?
    let options: OpaquePointer?

    private init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, HTTP2Callbacks.beginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, HTTP2Callbacks.header)
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, HTTP2Callbacks.invalidHeader)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, HTTP2Callbacks.frame)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, HTTP2Callbacks.invalidFrame)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, HTTP2Callbacks.data)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, HTTP2Callbacks.sent)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, HTTP2Callbacks.closed)
        nghttp2_session_callbacks_set_send_data_callback(callbacks, HTTP2Callbacks.sendData)
        self.callbacks = callbacks

        var options: OpaquePointer?
        nghttp2_option_new(&options)
        // Windows open when a handler has taken what came.
        nghttp2_option_set_no_auto_window_update(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_reserved_remote_streams(options, 0)
        nghttp2_option_set_max_outbound_ack(options, 200)
        // More than 144 KiB of header fields are refused long before.
        nghttp2_option_set_max_continuations(options, 8)
        self.options = options
    }
}
