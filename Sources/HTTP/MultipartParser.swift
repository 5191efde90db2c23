/// Takes a `multipart/form-data` body apart as it arrives (RFC 7578; framing by RFC 2046, section 5.1).
///
/// A value without side effects: chunks in, events out. The bytes of a part are slices of the chunk that was fed;
/// nothing of a body is copied.
package struct MultipartParser: Sendable {
    /// The bounds of one body; the caller bounds its length.
    package struct Limits: Sendable {
        /// Parts in one body.
        package var parts: Int
        /// Bytes of the header lines of one part.
        package var headerBytes: Int

        /// Takes the limits; the defaults suit a form with one photo.
        package init(parts: Int = 64, headerBytes: Int = 8192) {
            self.parts = parts
            self.headerBytes = headerBytes
        }
    }

    /// The next thing in the body.
    package enum Event: Sendable, Equatable {
        case partBegin(PartHeaders)
        /// Never empty; a part may come in any number of these.
        case bytes(ArraySlice<UInt8>)
        case partEnd
        /// The closing boundary; whatever follows is ignored.
        case end
    }

    private enum State {
        case preamble, headers, body, epilogue
        /// Behind a boundary: `--` ends the body, spaces and a line end begin a part.
        case delimiterTail
    }

    private let limits: Limits
    /// CR LF, two hyphens and the boundary. CR stands only in front, so a match that failed can begin anew only at a CR.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// How much of the delimiter the last bytes were. The line end before a body serves as the delimiter's own.
    private var matched = 2
    /// How much of that is not the part's, should the match fail: the line end before the body.
    private var borrowed = 2
    /// Header lines, or what follows a boundary, until they are whole.
    private var held: [UInt8] = []
    private var parts = 0

    /// Begins a body whose `Content-Type` has this boundary.
    ///
    /// - Throws: `.badBoundary` unless it has 1 to 70 characters that RFC 2046 allows and ends with no space.
    package init(boundary: String, limits: Limits = Limits()) throws(MultipartError) {
        guard 1...70 ~= boundary.utf8.count, boundary.utf8.allSatisfy(isBoundaryByte), !boundary.hasSuffix(" ") else {
            throw .badBoundary
        }
        self.limits = limits
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Begins a body of this media type.
    ///
    /// - Throws: `.badBoundary` also when the type has none.
    package init(mediaType: MediaType, limits: Limits = Limits()) throws(MultipartError) {
        try self.init(boundary: mediaType.parameter("boundary") ?? "", limits: limits)
    }

    /// Takes the next bytes of the body; after an error the parser is of no more use.
    package mutating func feed(_ chunk: ArraySlice<UInt8>) throws(MultipartError) -> [Event] {
        var events: [Event] = []
        var rest = chunk
        while !rest.isEmpty {
            switch state {
            case .preamble, .body: readBody(&rest, &events)
            case .delimiterTail: try readDelimiterTail(&rest, &events)
            case .headers: try readHeaders(&rest, &events)
            case .epilogue: return events
            }
        }
        return events
    }

    /// Says that the body has ended.
    ///
    /// - Throws: `.incomplete` when the closing boundary has not come.
    package func finish() throws(MultipartError) {
        guard case .epilogue = state else { throw .incomplete }
    }

    /// Reads up to the next boundary or the end of the chunk.
    private mutating func readBody(_ rest: inout ArraySlice<UInt8>, _ events: inout [Event]) {
        if matched > 0 {
            let carried = matched
            matched += matchLength(rest, from: carried)
            if matched == delimiter.count { return endBody(&rest, after: matched - carried, &events) }
            if matched - carried == rest.count { return rest.removeAll() }
            emit(delimiter[borrowed..<carried], &events)
            (matched, borrowed) = (0, 0)
        }
        var search = rest
        while let start = search.firstIndex(of: 0x0D) {
            let length = matchLength(rest[start...], from: 0)
            if length == delimiter.count {
                emit(rest[..<start], &events)
                return endBody(&rest, after: start - rest.startIndex + length, &events)
            }
            if start + length == rest.endIndex {
                emit(rest[..<start], &events)
                matched = length
                return rest.removeAll()
            }
            search = rest[(start + length)...]
        }
        emit(rest, &events)
        rest.removeAll()
    }

    /// How many bytes in front of `bytes` continue the delimiter from `position`.
    private func matchLength(_ bytes: ArraySlice<UInt8>, from position: Int) -> Int {
        let limit = min(bytes.count, delimiter.count - position)
        var length = 0
        while length < limit, bytes[bytes.startIndex + length] == delimiter[position + length] { length += 1 }
        return length
    }

    private func emit(_ bytes: ArraySlice<UInt8>, _ events: inout [Event]) {
        if state == .body, !bytes.isEmpty { events.append(.bytes(bytes)) }
    }

    private mutating func endBody(_ rest: inout ArraySlice<UInt8>, after count: Int, _ events: inout [Event]) {
        if state == .body { events.append(.partEnd) }
        state = .delimiterTail
        rest.removeFirst(count)
    }

    private mutating func readDelimiterTail(
        _ rest: inout ArraySlice<UInt8>, _ events: inout [Event]
    ) throws(MultipartError) {
        while let byte = rest.popFirst() {
            switch (held.last, byte) {
            case (nil, UInt8(ascii: "-")), (nil, 0x0D):
                held = [byte]
            case (nil, UInt8(ascii: " ")), (nil, UInt8(ascii: "\t")):
                continue
            case (UInt8(ascii: "-"), UInt8(ascii: "-")):
                state = .epilogue
                return events.append(.end)
            case (0x0D, 0x0A):
                held = []
                state = .headers
                return
            default:
                throw .malformedBoundary
            }
        }
    }

    private mutating func readHeaders(
        _ rest: inout ArraySlice<UInt8>, _ events: inout [Event]
    ) throws(MultipartError) {
        while let byte = rest.popFirst() {
            held.append(byte)
            if byte == 0x0A, held.count == 2 ? held[0] == 0x0D : held.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] {
                parts += 1
                guard parts <= limits.parts else { throw .tooManyParts(limit: limits.parts) }
                events.append(.partBegin(try PartHeaders(parsing: held)))
                (held, state, matched, borrowed) = ([], .body, 2, 2)
                return
            }
            guard held.count < limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
        }
    }
}

/// `bchars` of RFC 2046, section 5.1.1.
private func isBoundaryByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "'")...UInt8(ascii: ":"):  // ' ( ) * + , - . / 0…9 :
        byte != UInt8(ascii: "*")
    case UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "?"):
        true
    default:
        false
    }
}
