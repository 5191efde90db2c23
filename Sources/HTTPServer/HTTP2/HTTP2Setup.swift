internal import CNGHTTP2

/// What all sessions are made with; nghttp2 copies from it and never changes it.
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
