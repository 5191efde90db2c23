internal import CCurl
internal import Glibc
internal import HTTP

extension Transfer {
    /// Tells libcurl everything about the request; each option is described in `curl_easy_setopt(3)`.
    func configure(_ options: CurlOptions) throws(TransportError) {
        try configureConnection(options, timeout: request.timeout)
        try easy.set(CURLOPT_URL, request.url)
        try easy.set(CURLOPT_USERAGENT, options.userAgent)
        try easy.set(CURLOPT_ACCEPT_ENCODING, "")
        try setVersion()
        try setMethod()
        try setHeaderLines()
        try setRedirects()
        try setStall(options)
        try setCallbacks()
    }

    /// Over TLS, HTTP/2 is offered by default.
    private func setVersion() throws(TransportError) {
        guard request.assumesHTTP2, request.url.lowercased().hasPrefix("http:") else { return }
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
        // libcurl 7.88 begins HTTP/2 a second time on a kept connection (curl/curl#10643).
        try easy.set(CURLOPT_FRESH_CONNECT, 1)
        try easy.set(CURLOPT_FORBID_REUSE, 1)
    }

    private func setMethod() throws(TransportError) {
        let wantsBody = [.post, .put, .patch].contains(request.method)
        if let length = body.length ?? (wantsBody ? 0 : nil) {
            // "Upload" stands for any body that comes from the read callback; its own method would be PUT.
            try easy.set(CURLOPT_UPLOAD, 1)
            try easy.set(CURLOPT_INFILESIZE_LARGE, length)
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        } else if request.method == .head {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if request.method != .get {
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func setHeaderLines() throws(TransportError) {
        // No "100 Continue": many services do not speak it, and waiting for it costs a second.
        var lines = ["Expect:"]
        for field in request.fields where !Self.ownFields.contains(field.name.lowercased()) {
            // A name alone with a semicolon is how libcurl is told of an empty value.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try easy.set(lines)
    }

    private static let ownFields: Set<String> = ["host", "content-length", "transfer-encoding", "connection", "expect"]

    /// Only reading follows: libcurl would repeat any other method at the new place, after a 303 too.
    ///
    /// `Authorization` and `Cookie` do not go to another host (CURLOPT_UNRESTRICTED_AUTH is off by default).
    private func setRedirects() throws(TransportError) {
        guard request.followsRedirects, request.method == .get || request.method == .head else { return }
        try easy.set(CURLOPT_FOLLOWLOCATION, 1)
        try easy.set(CURLOPT_MAXREDIRS, 5)
        let isSecure = request.url.lowercased().hasPrefix("https:")
        try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
    }

    private func setStall(_ options: CurlOptions) throws(TransportError) {
        try easy.set(CURLOPT_LOW_SPEED_LIMIT, 1)
        try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, Int(options.stallTimeout.components.seconds)))
    }

    private func setCallbacks() throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let easy = easy.pointer
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_XFERINFODATA,
        ] {
            try self.easy.set(option, context)
        }
        try self.easy.check(
            pics_curl_set_read(easy) { buffer, size, count, context in
                let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
                return transfer(context)?.read(into: buffer) ?? Int(CURL_READFUNC_ABORT)
            })
        try self.easy.check(
            pics_curl_set_seek(easy) { context, offset, origin in
                guard offset == 0, origin == SEEK_SET, let exchange = transfer(context) else {
                    return CURL_SEEKFUNC_FAIL
                }
                exchange.body.rewind()
                return CURL_SEEKFUNC_OK
            })
        try self.easy.check(
            pics_curl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return transfer(context)?.receive(headerLine: line) == true ? line.count : 0
            })
        try self.easy.check(
            pics_curl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return transfer(context)?.receive(bytes) == true ? bytes.count : 0
            })
        guard request.progress != nil else { return }
        try self.easy.set(CURLOPT_NOPROGRESS, 0)
        try self.easy.check(
            pics_curl_set_progress(easy) { context, _, _, _, sent in
                transfer(context)?.report(sent: Int64(sent))
                return 0
            })
    }
}

/// The transfer of a callback that only transfers have.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? { Exchange.from(context) as? Transfer }
