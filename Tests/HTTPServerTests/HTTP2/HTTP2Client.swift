import CNGHTTP2
import HTTPServer

/// A client that speaks HTTP/2 in frames which it makes itself, so that it can misbehave. One task at a time.
actor HTTP2Client {
    /// The frames and data received on a stream.
    struct ReceivedResponse {
        var status = 0
        /// The statuses of 1xx answers before.
        var informational: [Int] = []
        /// The header and trailer fields, by name in lower case.
        var fields: [String: String] = [:]
        /// How many groups of fields have come, without those of 1xx answers.
        var headerBlocks = 0
        var body: [UInt8] = []
        var hasEnded = false
        /// The code of a RST_STREAM.
        var reset: Int?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Ended: Error {}

    private let client: Client
    private let inflater = Inflater()
    private var received: ArraySlice<UInt8> = []
    private var answers: [Int: ReceivedResponse] = [:]
    private var nextStream = 1
    private var connectionWindow = 65_535
    private var initialWindow = 65_535
    private var windows: [Int: Int] = [:]
    /// Whether windows are opened by what has come.
    var opensWindows = true
    /// The settings that the server has sent.
    private(set) var settings: [Int: Int] = [:]
    private(set) var goAways: [(lastStream: Int, code: Int)] = []
    private(set) var pongs = 0

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Begins a connection.
    init(_ server: TestServer, settings: [(id: Int, value: Int)] = []) async throws {
        client = try server.client()
        try await client.send(Self.preface + Frame.settings(settings).bytes)
    }

    func setOpensWindows(_ opens: Bool) { opensWindows = opens }

    func send(_ frames: Frame...) async throws { try await client.send(frames.flatMap(\.bytes)) }

    func send(_ frames: [Frame]) async throws { try await client.send(frames.flatMap(\.bytes)) }

    /// The fields of a request.
    static func fields(_ method: String, _ path: String, _ more: [(String, String)] = []) -> [(String, String)] {
        [(":method", method), (":scheme", "http"), (":authority", "h"), (":path", path)] + more
    }

    /// Sends a request's header fields; returns its stream.
    @discardableResult
    func begin(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], ends: Bool = true
    ) async throws -> Int {
        let stream = newStream()
        try await send(.headers(stream, Self.fields(method, path, fields), ends: ends))
        return stream
    }

    func newStream() -> Int {
        defer { nextStream += 2 }
        return nextStream
    }

    func get(_ path: String, _ fields: [(String, String)] = []) async throws -> ReceivedResponse {
        try await response(try await begin("GET", path, fields))
    }

    /// Sends a body within the windows, taking in whatever comes meanwhile.
    func sendBody(_ stream: Int, _ body: [UInt8], ends: Bool = true) async throws {
        var rest = body[...]
        repeat {
            while !rest.isEmpty, min(connectionWindow, windows[stream, default: initialWindow]) <= 0 {
                guard answers[stream]?.reset == nil else { return }
                try await takeFrame()
            }
            let count = min(rest.count, 16_384, connectionWindow, windows[stream, default: initialWindow])
            let part = rest.prefix(count)
            rest = rest.dropFirst(count)
            connectionWindow -= count
            windows[stream, default: initialWindow] -= count
            try await send(Frame(.data, flags: ends && rest.isEmpty ? Frame.endStream : 0, stream: stream, Array(part)))
        } while !rest.isEmpty
    }

    /// Waits until the stream has ended, or was reset.
    @discardableResult
    func response(_ stream: Int) async throws -> ReceivedResponse {
        try await wait { $0.answers[stream]?.hasEnded == true || $0.answers[stream]?.reset != nil }
        return answers[stream] ?? ReceivedResponse()
    }

    /// Waits for an answer's head, and what has come with it.
    func head(_ stream: Int) async throws -> ReceivedResponse {
        try await wait { ($0.answers[stream]?.status ?? 0) != 0 || $0.answers[stream]?.reset != nil }
        return answers[stream] ?? ReceivedResponse()
    }

    /// Waits until so much of a body has come.
    func body(_ stream: Int, of count: Int) async throws {
        try await wait { $0.answers[stream]?.body.count ?? 0 >= count }
    }

    /// Whether the stream has no answer, after one look at what has come.
    func pending(_ stream: Int) async throws -> Bool {
        try await send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
        let count = pongs
        try await wait { $0.pongs > count }
        return answers[stream]?.hasEnded != true
    }

    func informational(_ stream: Int) async throws -> [Int] {
        try await wait { $0.answers[stream]?.informational.isEmpty == false }
        return answers[stream]?.informational ?? []
    }

    func waitForPong(_ count: Int = 1) async throws {
        try await wait { $0.pongs >= count }
    }

    func waitForGoAway(_ count: Int = 1) async throws {
        try await wait { $0.goAways.count >= count }
    }

    /// Reads until the server ends the connection; the code of its last GOAWAY.
    func end() async -> Int? {
        do {
            while true { try await takeFrame() }
        } catch {
            return goAways.last?.code
        }
    }

    func reset() { client.reset() }
    func close() { client.close() }

    private func wait(_ isThere: (isolated HTTP2Client) -> Bool) async throws {
        while !isThere(self) { try await takeFrame() }
    }

    private func takeFrame() async throws {
        while true {
            if let frame = Frame(from: &received) { return try await take(frame) }
            let more = try await client.bytes()
            guard !more.isEmpty else { throw Ended() }
            received = ArraySlice(Array(received) + more)
        }
    }

    private func take(_ frame: Frame) async throws {
        switch frame.type {
        case .settings where frame.flags & Frame.acknowledgement == 0:
            for start in stride(from: 0, to: frame.payload.count, by: 6) {
                settings[Frame.number(frame.payload[start..<(start + 2)])] =
                    Frame.number(frame.payload[(start + 2)..<(start + 6)])
            }
            if let window = settings[4] {
                for stream in windows.keys { windows[stream, default: 0] += window - initialWindow }
                initialWindow = window
            }
            try? await send(Frame(.settings, flags: Frame.acknowledgement))
        case .ping:
            if frame.flags & Frame.acknowledgement != 0 { pongs += 1; return }
            try? await send(Frame(.ping, flags: Frame.acknowledgement, frame.payload))
        case .windowUpdate where frame.stream == 0: connectionWindow += Frame.number(frame.payload)
        case .windowUpdate: windows[frame.stream, default: initialWindow] += Frame.number(frame.payload)
        case .goAway: goAways.append((Frame.number(frame.payload[..<4]), Frame.number(frame.payload[4..<8])))
        case .reset: answers[frame.stream, default: ReceivedResponse()].reset = Frame.number(frame.payload)
        case .headers: takeFields(try inflater.fields(frame.payload), frame.stream)
        case .data:
            answers[frame.stream, default: ReceivedResponse()].body += frame.payload
            if opensWindows, !frame.payload.isEmpty {
                try? await send(
                    .windowUpdate(0, frame.payload.count), .windowUpdate(frame.stream, frame.payload.count))
            }
        default: break
        }
        if frame.endsStream { answers[frame.stream, default: ReceivedResponse()].hasEnded = true }
    }

    private func takeFields(_ fields: [(String, String)], _ stream: Int) {
        var response = answers[stream, default: ReceivedResponse()]
        if !fields.contains(where: { $0.0 == ":status" && $0.1.hasPrefix("1") }) { response.headerBlocks += 1 }
        for (name, value) in fields {
            guard name == ":status", let status = Int(value) else {
                response.fields[name] = value
                continue
            }
            if status < 200 { response.informational.append(status) } else { response.status = status }
        }
        answers[stream] = response
    }
}

/// The decoder of header fields: a real one, because it must follow what the server compresses.
final class Inflater {
    private let handle: OpaquePointer?

    struct Failure: Error {}

    init() {
        var pointer: OpaquePointer?
        nghttp2_hd_inflate_new(&pointer)
        handle = pointer
    }

    deinit { nghttp2_hd_inflate_del(handle) }

    func fields(_ block: [UInt8]) throws -> [(String, String)] {
        var fields: [(String, String)] = []
        var rest = block[...]
        while true {
            var field = nghttp2_nv()
            var flags: Int32 = 0
            let count = rest.withUnsafeBufferPointer {
                nghttp2_hd_inflate_hd2(handle, &field, &flags, $0.baseAddress, $0.count, 1)
            }
            guard count >= 0 else { throw Failure() }
            rest = rest.dropFirst(count)
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                let name = UnsafeBufferPointer(start: field.name, count: field.namelen)
                let value = UnsafeBufferPointer(start: field.value, count: field.valuelen)
                fields.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                nghttp2_hd_inflate_end_headers(handle)
                return fields
            }
        }
    }
}
