internal import Crypto
internal import EventLoops
internal import Foundation
internal import HTTP
internal import System

/// Stands before the HTTP server of a fake that has WebSockets: answers those, and passes all else on.
///
/// `@unchecked Sendable`: everything in it is touched on its loop.
final class FakeFront: @unchecked Sendable {
    private let host: FakeHost
    private let service: any FakeSocketService
    private let loop: EventLoop
    private let backend: UInt16
    private var listener: FakeListener?
    private var open: [ObjectIdentifier: FakeWire] = [:]
    private var last = 0

    private init(_ host: FakeHost, _ service: any FakeSocketService, backend: UInt16, on loop: EventLoop) {
        (self.host, self.service, self.backend, self.loop) = (host, service, backend, loop)
    }

    /// Listens; its port.
    static func start(
        _ host: FakeHost, _ service: any FakeSocketService, backend: UInt16, port: UInt16, on loop: EventLoop
    ) async throws -> (FakeFront, UInt16) {
        let front = FakeFront(host, service, backend: backend, on: loop)
        let bound = try await withCheckedThrowingContinuation { (done: CheckedContinuation<UInt16, any Error>) in
            loop.execute {
                do {
                    let listener = try FakeListener(port: port, on: loop) { [unowned front] in front.accept($0) }
                    front.listener = listener
                    done.resume(returning: listener.port)
                } catch {
                    done.resume(throwing: error)
                }
            }
        }
        return (front, bound)
    }

    /// Ends every connection.
    func stop() async {
        await withCheckedContinuation { done in
            loop.execute { [self] in
                listener?.stop()
                listener = nil
                for wire in open.values { wire.end() }
                done.resume()
            }
        }
    }

    private func accept(_ wire: FakeWire) {
        open[ObjectIdentifier(wire)] = wire
        var head: [UInt8] = []
        wire.receive = { [unowned self, unowned wire] bytes in
            guard !bytes.isEmpty else { return forget(wire) }
            head += bytes
            let text = String(decoding: head, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return }
            let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
            func field(_ name: String) -> String? {
                lines.first { $0.lowercased().hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
            }
            let target = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
            guard field("upgrade")?.lowercased() == "websocket", field("sec-websocket-version") == "13",
                let key = field("sec-websocket-key")
            else { return pass(wire, head) }
            begin(wire, path: target, origin: "http://\(field("host") ?? "")", key: key)
        }
    }

    private func forget(_ wire: FakeWire) { open[ObjectIdentifier(wire)] = nil }

    private func pass(_ wire: FakeWire, _ head: [UInt8]) {
        guard let other = try? FakeWire(port: backend, on: loop) else { return wire.end() }
        open[ObjectIdentifier(other)] = other
        wire.receive = { [unowned self, unowned wire] bytes in
            guard bytes.isEmpty else { return other.send(bytes) }
            forget(wire)
            other.finish()
        }
        other.receive = { [unowned self, unowned other] bytes in
            guard bytes.isEmpty else { return wire.send(bytes) }
            forget(other)
            wire.finish()
        }
        other.send(head)
    }

    // MARK: WebSockets

    private func begin(_ wire: FakeWire, path: String, origin: String, key: String) {
        last += 1
        let name = "\(last)"
        let accept = Base64.encode(
            HashAlgorithm.sha1.hash(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
        wire.send(
            Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8))
        for line in service.greeting(name).split(separator: "\n") { wire.send(FakeFrames.text(String(line))) }
        let wireID = ObjectIdentifier(wire)
        var frames = FakeFrames()
        var turn = Task<Void, Never> {}
        wire.receive = { [unowned self, unowned wire] bytes in
            guard !bytes.isEmpty else { return forget(wire) }
            guard let texts = frames.read(bytes) else { return wire.finish() }
            for text in texts {
                guard let verb = service.verb(of: text) else { continue }
                let request = FakeRequest(
                    method: HTTPMethod(rawValue: verb), origin: origin, path: path, query: "",
                    fields: ["Connection-Name": name], body: Array(text.utf8))
                // One message after the other.
                turn = Task(executorPreference: loop) { [turn] in
                    await turn.value
                    await self.answer(request, at: wireID)
                }
            }
        }
    }

    private func answer(_ request: FakeRequest, at wire: ObjectIdentifier) async {
        switch await host.handle(request) {
        case .response(let answer): send(answer, to: wire)
        case .slow(let answer):
            // Half of each message, as a fragment.
            let lines = Self.lines(answer)
            loop.execute { [self] in for line in lines.prefix(1) { open[wire]?.send(FakeFrames.halves(of: line).0) } }
            await host.hold()
            loop.execute { [self] in
                for line in lines.prefix(1) { open[wire]?.send(FakeFrames.halves(of: line).1) }
                for line in lines.dropFirst() { open[wire]?.send(FakeFrames.text(line)) }
            }
        case .reset: loop.execute { [self] in open[wire]?.end() }
        }
    }

    private func send(_ answer: FakeAnswer, to wire: ObjectIdentifier) {
        let lines = Self.lines(answer)
        loop.execute { [self] in
            for line in lines { open[wire]?.send(FakeFrames.text(line)) }
            // A proxy that gives up says nothing.
            if lines.isEmpty, answer.status.code >= 400 { open[wire]?.end() }
        }
    }

    private static func lines(_ answer: FakeAnswer) -> [String] {
        String(decoding: answer.body, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// Frames as a server reads and writes them (RFC 6455, section 5), without knowing those of `Curl`.
struct FakeFrames {
    private var pending: [UInt8] = []

    /// The texts that are whole; nil when the client closes, or breaks a rule. No client of the tests sends fragments.
    mutating func read(_ bytes: [UInt8]) -> [String]? {
        pending += bytes
        var texts: [String] = []
        while pending.count >= 2 {
            let size = Int(pending[1] & 0x7F)
            let extra = size == 126 ? 2 : size == 127 ? 8 : 0
            guard pending[0] & 0x70 == 0, pending[1] & 0x80 != 0 else { return nil }
            guard pending.count >= 6 + extra else { return texts }
            let count = extra == 0 ? size : pending[2..<(2 + extra)].reduce(0) { $0 << 8 | Int($1) }
            guard pending.count >= 6 + extra + count else { return texts }
            let mask = Array(pending[(2 + extra)..<(6 + extra)])
            let payload = pending[(6 + extra)..<(6 + extra + count)].enumerated().map { $1 ^ mask[$0 % 4] }
            let first = pending[0]
            pending.removeFirst(6 + extra + count)
            switch first {
            case 0x81: texts.append(String(decoding: payload, as: UTF8.self))
            case 0x8A: continue
            default: return nil
            }
        }
        return texts
    }

    static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    /// A text as two fragments.
    static func halves(of text: String) -> ([UInt8], [UInt8]) {
        let bytes = Array(text.utf8)
        return (frame(0x01, Array(bytes[..<(bytes.count / 2)])), frame(0x80, Array(bytes[(bytes.count / 2)...])))
    }

    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        if count < 126 { return [first, UInt8(count)] + payload }
        if count < 65536 { return [first, 126, UInt8(count >> 8), UInt8(count & 0xFF)] + payload }
        return [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * (7 - $0))) } + payload
    }
}
