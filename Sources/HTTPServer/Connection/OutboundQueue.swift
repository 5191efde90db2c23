internal import CLinux
internal import System

/// The bytes and files that wait for the socket, in order.
struct OutboundQueue {
    enum Outcome {
        case drained
        /// The socket is full.
        case blocked
        /// This connection has had its share of the loop for now.
        case paused
        case failed
    }

    /// The bytes one connection may send in one go while others wait.
    static let share: Int64 = 1 << 20

    private var pieces: [BodyPiece] = []
    /// The socket took less than it was given; it will say when it takes more.
    var isBlocked = false

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ piece: BodyPiece) {
        if piece.length > 0 { pieces.append(piece) }
    }

    /// Moves what was written here, from its byte `start` on.
    mutating func append(_ output: OutputBuffer, from start: Int = 0) {
        append(.bytes(Array(output.bytes[start...])[...]))
        output.removeAll()
    }

    /// Sends what was written, and keeps what the socket does not take; only when empty.
    ///
    /// - Returns: The bytes that were sent; nil when the socket failed.
    mutating func send(_ output: OutputBuffer, to socket: StreamSocket) -> Int? {
        assert(isEmpty)
        var sent = 0
        while sent < output.count {
            let result = socket.send(UnsafeRawBufferPointer(rebasing: output.bytes[sent...]))
            if case .bytes(let count) = result { sent += count }
            if result == .failed {
                output.removeAll()
                return nil
            }
            // A plain socket has taken what it takes; by TLS that was one record.
            if result == .blocked || socket.tls == nil { break }
        }
        if sent < output.count {
            isBlocked = true
            append(output, from: sent)
        } else {
            output.removeAll()
        }
        return sent
    }

    mutating func removeAll() { pieces = [] }

    /// Sends as much as goes, and takes that from `share`.
    mutating func pump(to socket: StreamSocket, within share: inout Int64) -> Outcome {
        while let first = pieces.first {
            guard share > 0 else { return .paused }
            let sent =
                switch first {
                case .bytes: sendBytes(socket)
                case .file(let file):
                    // By TLS the share does not count within a record: what was blocked must not become less.
                    socket.send(
                        file: file.file.descriptor, offset: file.offset,
                        count: socket.tls == nil ? min(file.length, share) : file.length)
                }
            switch sent {
            case .bytes(let count):
                share -= Int64(count)
                advance(count)
            case .blocked:
                isBlocked = true
                return .blocked
            case .failed: return .failed
            }
        }
        return .drained
    }

    /// Sends up to three pieces of memory with one call: a head, a chunk and its end.
    private func sendBytes(_ socket: StreamSocket) -> StreamSocket.Sent {
        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 3) { vectors in
            gather(0, into: vectors) { count in
                let more = if pieces.count > count, case .file = pieces[count] { true } else { false }
                return socket.send(UnsafeMutableBufferPointer(rebasing: vectors[..<count]), more: more)
            }
        }
    }

    /// Calls `send` with the number of vectors while the memory behind them is held.
    private func gather(
        _ index: Int, into vectors: UnsafeMutableBufferPointer<iovec>, _ send: (Int) -> StreamSocket.Sent
    ) -> StreamSocket.Sent {
        guard index < min(pieces.count, vectors.count), case .bytes(let bytes) = pieces[index] else {
            return send(index)
        }
        return bytes.withUnsafeBytes { memory in
            vectors[index] = iovec(
                iov_base: UnsafeMutableRawPointer(mutating: memory.baseAddress), iov_len: memory.count)
            return gather(index + 1, into: vectors, send)
        }
    }

    private mutating func advance(_ count: Int) {
        var count = count
        while let first = pieces.first {
            switch first {
            case .bytes(let bytes) where bytes.count > count:
                pieces[0] = .bytes(bytes.dropFirst(count))
                return
            case .bytes(let bytes):
                count -= bytes.count
                pieces.removeFirst()
            case .file(let file) where file.length > count:
                pieces[0] = .file(
                    FileBody(file.file, offset: file.offset + Int64(count), length: file.length - Int64(count)))
                return
            case .file(let file):
                count -= Int(file.length)
                pieces.removeFirst()
            }
            if count == 0 { return }
        }
    }
}
