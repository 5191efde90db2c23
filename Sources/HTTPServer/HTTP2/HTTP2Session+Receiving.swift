internal import CNGHTTP2
internal import EventLoops

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
        // What opens a stream gets back what it takes here (`open`).
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
        // What it has taken as a frame, and a few that may come along.
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
            // What is beyond the limit is of no use, nor what came before.
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
