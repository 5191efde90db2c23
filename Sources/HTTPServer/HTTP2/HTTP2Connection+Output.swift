internal import CNGHTTP2
internal import EventLoops
internal import HTTP

/// Responses on their way into frames, and frames on their way to the socket.
extension HTTP2Connection {
    /// The bytes of frames that are gathered before they are sent.
    private static let coalesced = 64 << 10
    /// The frames, beside DATA, that may wait before the client is read no further.
    private static let queuedFrames = 1_000

    // MARK: Responses

    /// Hands a whole response to the session.
    func send(_ response: HTTPResponse, _ stream: HTTP2Stream) {
        guard stream.status == 0, !stream.isClosed else { return }
        let response = context.presented(response, stream)
        let decorations = context.decorations(to: response, stream)
        let hasBody = !stream.isHead && response.allowsBody
        if hasBody { response.body.forEachPiece(orGzipped: decorations.gzipped) { stream.output.append($0) } }
        stream.output.hasEnded = true
        let hasTrailers = hasBody && !response.trailers.isEmpty
        writeHead(response, decorations, stream, withBody: !stream.output.isEmpty || hasTrailers)
        stream.response = .complete
        progressed(stream)
    }

    private func writeHead(
        _ response: HTTPResponse, _ decorations: ResponseDecorations, _ stream: HTTP2Stream, withBody: Bool
    ) {
        guard let text = buffers?.output else { return }
        var framing = response.framing(isHTTP10: false, gzipped: decorations.gzipped)
        // Clients take a body of a known length for all there is.
        if !response.trailers.isEmpty, framing != .none { framing = .chunked }
        stream.trailers = response.trailers
        stream.response = .streaming(framing)
        writeHead(of: response, decorations, framing, .implied, stream)
        session.submitHead(in: text, of: stream, withBody: withBody)
    }

    // MARK: Streams

    func write(_ bytes: ArraySlice<UInt8>, of number: UInt64) async throws(BodyWriteError) {
        guard let stream = exchange(numbered: number) else { throw .disconnected }
        precondition(stream.writeWaiter == nil, "two writers of one response")
        var fits = true
        turn { fits = put(bytes, stream) }
        guard fits else { throw .tooLong }
        guard !stream.isClosed else { throw .disconnected }
        guard !hasRoom(stream) || share <= 0 else { return }
        // One that writes much goes on when others have had their turn.
        let goesOn = await withCheckedContinuation { waiter in
            stream.writeWaiter = Exchange.Waiter(waiter)
            writers.append(stream)
            turn { wait(for: stream) }
        }
        guard goesOn else { throw .disconnected }
    }

    /// Whether a producer may write on.
    private func hasRoom(_ stream: HTTP2Stream) -> Bool {
        stream.output.count < Int64(session.limits.streamBacklog)
            && (session.streamedBytes < Int64(session.limits.connectionBacklog) || stream.output.isEmpty)
    }

    /// Lets those producers go on that have room again.
    private func resumeWriters() {
        guard share > 0, !writers.isEmpty else { return }
        let ready = writers.filter { hasRoom($0) }
        guard !ready.isEmpty else { return }
        writers.removeAll { hasRoom($0) }
        for stream in ready {
            let waiter = stream.writeWaiter
            stream.writeWaiter = nil
            waiter?.resume(returning: true)
        }
    }

    /// Tells a waiting producer that nobody reads any more.
    func stopWriting(_ stream: HTTP2Stream) {
        guard let waiter = stream.writeWaiter else { return }
        stream.writeWaiter = nil
        writers.removeAll { $0 === stream }
        waiter.resume(returning: false)
    }

    func awaitProducer(_ stream: HTTP2Stream) { stream.response = .pending }

    func endStream(_ stream: HTTP2Stream) {
        _ = put([], stream)
        guard stream.response.missing == 0 else {
            logShort(stream, missing: stream.response.missing)
            return cutStream(stream)
        }
        stream.output.hasEnded = true
        stream.response = .complete
        session.resume(stream)
        progressed(stream)
    }

    func cutStream(_ stream: HTTP2Stream) { session.reset(stream.streamID, NGHTTP2_INTERNAL_ERROR) }

    /// Queues a piece, the head before the first. Returns whether it fits the declared length.
    private func put(_ bytes: ArraySlice<UInt8>, _ stream: HTTP2Stream) -> Bool {
        if let response = stream.takeStreamed() {
            stream.isStreamed = true
            writeHead(response, context.decorations(to: response, stream), stream, withBody: true)
        }
        guard case .streaming = stream.response, !bytes.isEmpty else { return true }
        guard stream.response.advance(by: bytes.count) else { return false }
        if stream.output.isEmpty { progressed(stream) }
        stream.output.append(.bytes(bytes))
        session.streamedBytes += Int64(bytes.count)
        session.resume(stream)
        return true
    }

    // MARK: Sending

    /// Makes frames and sends them, as far as the socket takes them. Returns whether that has led to something.
    func flush() -> Bool {
        guard phase == .serving, !isBroken, let output = buffers?.output else { return false }
        if !outbound.isEmpty, !outbound.isBlocked { pump() }
        while outbound.isEmpty, !isBroken, share > 0 {
            guard session.fill(output, upTo: Self.coalesced) else {
                isBroken = true
                break
            }
            guard !output.isEmpty else { break }
            guard let sent = outbound.send(output, to: socket) else {
                isBroken = true
                break
            }
            share -= Int64(sent)
            sentAt = context.clock.now
        }
        output.removeAll()
        guard !isBroken else { return false }
        resumeWriters()
        if !session.events.isEmpty { return true }
        if outbound.isEmpty, !session.wantsToRead, !session.wantsToWrite { endWriting() }
        return false
    }

    private func pump() {
        var rest = share
        if outbound.pump(to: socket, within: &rest) == .failed { isBroken = true }
        if rest < share { sentAt = context.clock.now }
        share = rest
    }

    /// Whether something is to be sent as soon as the socket takes it and others have had their turn.
    var waitsForReader: Bool {
        !outbound.isEmpty || share <= 0 && (session.wantsToWrite || writers.contains { hasRoom($0) })
    }

    /// Watches for what has a use.
    func updateInterest() {
        let reading = !peerHasEnded && session.queuedFrames < Self.queuedFrames
        let writing = phase == .serving && waitsForReader
        guard reading != watchesReading || writing != watchesWriting else { return }
        (watchesReading, watchesWriting) = (reading, writing)
        var interest: Readiness = []
        if reading { interest.insert(.readable) }
        if writing { interest.insert(.writable) }
        watch?.update(interest)
    }
}

extension OutputBuffer {
    /// Calls `use` with the fields of the head of HTTP/1.1 that was written here, and empties the buffer.
    ///
    /// Both versions have their responses' fields from `ResponseHead`. Here names become small, the status becomes a field, and
    /// what speaks of a connection is left out (RFC 9113, section 8.2). No value can hold a line end: `HTTPFields` sees to that.
    func withHeadFields<Result>(_ use: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        defer { removeAll() }
        return withBytes { bytes in
            let text = bytes.bindMemory(to: UInt8.self)
            let lineCount = text.count { $0 == .lf }
            return withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: lineCount + 1) { fields in
                var count = 0
                var start = 0
                while let end = text[start...].firstIndex(of: .cr), end > start {
                    let line = UnsafeMutableBufferPointer(rebasing: text[start..<end])
                    if let field = start == 0 ? Self.status(line) : Self.field(line) {
                        fields[count] = field
                        count += 1
                    }
                    start = end + 2
                }
                return use(UnsafeBufferPointer(rebasing: fields[..<count]))
            }
        }
    }

    /// `HTTP/1.1 200 OK`.
    private static func status(_ line: UnsafeMutableBufferPointer<UInt8>) -> nghttp2_nv? {
        guard line.count >= 12 else { return nil }
        let name: StaticString = ":status"
        return nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start), value: line.baseAddress?.advanced(by: 9),
            namelen: name.utf8CodeUnitCount, valuelen: 3, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
    }

    /// `Name: value`.
    private static func field(_ line: UnsafeMutableBufferPointer<UInt8>) -> nghttp2_nv? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        for index in 0..<colon { line[index] = line[index].lowercased }
        let bytes = Span(_unsafeElements: UnsafeBufferPointer(line))
        let value = bytes.trimmed((colon + 1)..<line.count)
        var flags = NGHTTP2_NV_FLAG_NONE.rawValue
        switch colon {
        case 7 where bytes.equals("upgrade", in: 0..<7): return nil
        case 10 where bytes.equals("connection", in: 0..<10) || bytes.equals("keep-alive", in: 0..<10): return nil
        case 12 where bytes.equals("x-request-id", in: 0..<12):
            // Never the same: remembering it would push out what is.
            flags = NGHTTP2_NV_FLAG_NO_INDEX.rawValue
        case 16 where bytes.equals("proxy-connection", in: 0..<16): return nil
        case 17 where bytes.equals("transfer-encoding", in: 0..<17): return nil
        default: break
        }
        return nghttp2_nv(
            name: line.baseAddress, value: line.baseAddress?.advanced(by: value.lowerBound), namelen: colon,
            valuelen: value.count, flags: UInt8(flags))
    }
}
