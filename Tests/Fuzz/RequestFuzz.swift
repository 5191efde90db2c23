internal import HTTP

// Reads one request after the other from a socket as a connection does, and ends the process when the outcome depends on how
// the bytes were cut, or when what was understood cannot be meant.

/// The function that libFuzzer calls with every input: the first five bytes say where the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count > 5 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 5, count: count - 5))
    let cuts = cuts(bytes.count, Array(UnsafeBufferPointer(start: start, count: 5)))
    precondition(received(bytes, cuts: cuts) == received(bytes, cuts: []))
    precondition(head(bytes, cuts: cuts) == head(bytes, cuts: []))
    precondition(chunks(bytes, cuts: cuts) == chunks(bytes, cuts: []))
    return 0
}

/// Up to four places, or many at the same distance.
private func cuts(_ count: Int, _ choice: [UInt8]) -> [Int] {
    let step = Int(choice[0] >> 4) + 1
    if choice[0] & 1 == 0, count / step <= 64 { return Array(stride(from: step, to: count, by: step)) }
    return choice.dropFirst().map { Int($0) * count / 256 }.filter { 0 < $0 }.sorted()
}

/// The pieces between cuts.
private func pieces(_ bytes: [UInt8], _ cuts: [Int]) -> [ArraySlice<UInt8>] {
    zip([0] + cuts, cuts + [bytes.count]).map { bytes[$0..<$1] }
}

/// The parsed messages, in order.
private enum Happening: Equatable {
    case head(Understood)
    case body([UInt8])
    case refused(RequestFault, isHead: Bool)
    case failed(BodyError)
}

/// All that a head says.
private struct Understood: Equatable {
    let method: String
    let target: RequestTarget
    let host: String
    let query: String
    let fieldCount: Int
    let framing: RequestLayout.Framing
    let persists: Bool
    let expectation: RequestLayout.Expectation
    let id: String?
}

// MARK: A connection

/// Has what was sent, and gives it as a socket does.
private final class SentBytes: ByteSource {
    var bytes: ArraySlice<UInt8> = []

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReceivedBytes {
        let count = min(bytes.count, buffer.count)
        guard count > 0 else { return .blocked }
        buffer.copyBytes(from: bytes.prefix(count))
        bytes.removeFirst(count)
        return .bytes(count)
    }
}

/// The memory that connections of one loop share; there is one thread.
private nonisolated(unsafe) let buffers = TurnBuffers()

/// Reads requests and their bodies from a socket with what a connection reads them with.
private final class Reader {
    private enum Stage { case head, body(IncomingBody, [UInt8]), over }

    private static let limit: Int64 = 3_000

    private let socket: SentBytes
    private var inbound = InboundBuffer()
    private var parser = RequestParser()
    private var stage = Stage.head
    private var consumed = 0
    /// The messages parsed so far.
    private(set) var story: [Happening] = []

    init(_ socket: SentBytes) { self.socket = socket }

    /// Takes in what has been sent meanwhile; `sent` counts all bytes that ever were.
    func turn(sent: Int) {
        while case .bytes = receive() { proceed() }
        inbound.settle(returning: buffers)
        precondition(consumed + inbound.count == sent || isOver, "bytes were lost or made up")
    }

    var isOver: Bool { if case .over = stage { true } else { false } }

    private func receive() -> ReceivedBytes {
        guard case .body = stage, inbound.isEmpty else { return inbound.receive(socket, lending: buffers) }
        inbound.settle(returning: buffers)
        return inbound.receiveFresh(socket, atMost: 700)
    }

    private func proceed() {
        while true {
            switch stage {
            case .head:
                guard let next = readHead() else { return }
                stage = next
            case .body(var body, var data):
                inbound.settle(returning: buffers)
                let isWhole = readBody(&body, &data)
                if isOver { return }
                guard isWhole else {
                    stage = .body(body, data)
                    return
                }
                story.append(.body(data))
                stage = .head
            case .over:
                inbound.removeAll()
                return
            }
        }
    }

    private func readHead() -> Stage? {
        do throws(RequestFault) {
            let limits = RequestParser.Limits(line: 300, fieldBytes: 1_000, fieldCount: 10)
            let found = try inbound.withBytes { bytes throws(RequestFault) -> (RequestHead, RequestLayout)? in
                guard let layout = try parser.parse(bytes, limits) else { return nil }
                precondition(layout.length <= bytes.count)
                return (RequestHead(copying: bytes, layout), layout)
            }
            guard let (head, layout) = found else { return nil }
            parser = RequestParser()
            consume(layout.length)
            story.append(.head(try understood(head)))
            return .body(IncomingBody(layout.framing, limit: Self.limit), [])
        } catch {
            let isHead = inbound.withBytes { parser.isHead(in: $0) }
            story.append(.refused(error, isHead: isHead))
            return .over
        }
    }

    /// Returns whether the body is complete.
    private func readBody(_ body: inout IncomingBody, _ data: inout [UInt8]) -> Bool {
        do throws(BodyError) {
            while true {
                let before = inbound.count
                guard let range = try body.advance(&inbound) else {
                    consumed += before - inbound.count
                    return body.isComplete
                }
                precondition(range.lowerBound >= 0 && range.upperBound <= inbound.count && !range.isEmpty)
                data += inbound.take(range)
                consumed += before - inbound.count
                precondition(Int64(data.count) == body.received && body.received <= Self.limit)
            }
        } catch {
            story.append(.failed(error))
            stage = .over
            return false
        }
    }

    private func consume(_ count: Int) {
        inbound.consume(count)
        consumed += count
    }
}

/// The messages parsed from bytes that come through a socket in pieces.
private func received(_ bytes: [UInt8], cuts: [Int]) -> [Happening] {
    let socket = SentBytes()
    let reader = Reader(socket)
    var sent = 0
    for piece in pieces(bytes, cuts) {
        socket.bytes += piece
        sent += piece.count
        reader.turn(sent: sent)
    }
    return reader.story
}

// MARK: A head

/// Looks at a head from every side.
private func understood(_ head: RequestHead) throws(RequestFault) -> Understood {
    let layout = head.layout
    precondition(layout.start == 0 && layout.length == head.bytes.count)
    var lines = 0
    head.forEachLine { name, value in
        lines += 1
        precondition(!name.isEmpty && head.bytes[name].allSatisfy(\.isToken))
        precondition(head.bytes[value].allSatisfy(\.isFieldValue))
        precondition(head.firstValue(head.text(name)) != nil)
        return true
    }
    precondition(lines == layout.fieldCount)
    precondition(layout.minorVersion == 0 || !layout.host.isEmpty)
    precondition(layout.minorVersion == 1 || layout.framing != .chunked)
    if let id = head.sentID { precondition(1...128 ~= id.utf8.count) }
    let target = try RequestTarget(head)
    check(target)
    if let authority = target.authority { precondition(HostSyntax.isValid(head.bytes.span, authority)) }
    return Understood(
        method: head.method.rawValue, target: target, host: head.text(layout.host), query: head.text(target.query),
        fieldCount: lines, framing: layout.framing, persists: layout.persists, expectation: layout.expectation,
        id: head.sentID)
}

private func check(_ target: RequestTarget) {
    guard target.path != "*" else { return }
    precondition(target.path.utf8.first == UInt8(ascii: "/") && target.shownPath.utf8.first == UInt8(ascii: "/"))
    precondition(!target.shownPath.utf8.contains(0) && !target.shownPath.utf8.contains(UInt8(ascii: "\\")))
    // Also a slash that came encoded leads nowhere.
    let segments = target.shownPath.utf8.split(separator: UInt8(ascii: "/"))
    precondition(!segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
}

// MARK: The parts alone, from wherever the fuzzer likes

private func head(_ bytes: [UInt8], cuts: [Int]) -> Happening? {
    var parser = RequestParser()
    do throws(RequestFault) {
        for end in cuts + [bytes.count] {
            let piece = bytes.span.extracting(..<end)
            guard let layout = try parser.parse(piece, .init()) else { continue }
            precondition(layout.length <= end)
            return .head(try understood(RequestHead(copying: piece, layout)))
        }
        return nil
    } catch {
        return .refused(error, isHead: parser.isHead(in: bytes.span))
    }
}

private func chunks(_ bytes: [UInt8], cuts: [Int]) -> [UInt8]? {
    var decoder = ChunkedDecoder()
    var data: [UInt8] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
        let piece = bytes.span.extracting(..<end)
        var index = start
        reading: while true {
            do {
                switch try decoder.next(piece, from: index) {
                case .data(let range):
                    precondition(range.lowerBound >= index && range.upperBound <= end && !range.isEmpty)
                    data += bytes[range]
                    index = range.upperBound
                case .more: break reading
                case .end(let place):
                    precondition(place > index && place <= end)
                    return data + [UInt8(truncatingIfNeeded: place)]
                }
            } catch {
                return nil
            }
        }
    }
    return data
}
