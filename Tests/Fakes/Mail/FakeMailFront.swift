internal import EventLoops
internal import HTTP
internal import System

/// The port of a mail server: makes requests of what clients say, and says what the service answers.
///
/// `@unchecked Sendable`: everything in it is touched on its loop.
final class FakeMailFront: @unchecked Sendable {
    /// What the next bytes of a connection are.
    private enum Mode {
        case command
        /// A line of a login in steps.
        case login
        case message
    }

    private final class Client {
        let wire: FakeWire
        let name: String
        var mode = Mode.command
        var bytes: [UInt8] = []
        var turn = Task<Void, Never> {}

        init(_ wire: FakeWire, _ name: String) { (self.wire, self.name) = (wire, name) }
    }

    private let host: FakeHost
    private let loop: EventLoop
    private var listener: FakeListener?
    private var clients: [String: Client] = [:]
    private var last = 0

    private init(_ host: FakeHost, on loop: EventLoop) { (self.host, self.loop) = (host, loop) }

    /// Listens; its port.
    static func start(_ host: FakeHost, port: UInt16, on loop: EventLoop) async throws -> (FakeMailFront, UInt16) {
        let front = FakeMailFront(host, on: loop)
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
                for client in clients.values { client.wire.end() }
                done.resume()
            }
        }
    }

    private func accept(_ wire: FakeWire) {
        last += 1
        let client = Client(wire, "\(last)")
        clients[client.name] = client
        wire.receive = { [unowned self, unowned client] bytes in
            guard !bytes.isEmpty else {
                clients[client.name] = nil
                return
            }
            client.bytes += bytes
            read(client)
        }
        wire.send(Array("220 mail.test ESMTP\r\n".utf8))
    }

    private func read(_ client: Client) {
        while true {
            switch client.mode {
            case .message:
                // No client of the tests says more before it is answered.
                guard
                    client.bytes.elementsEqual(Array(".\r\n".utf8)) || client.bytes.suffix(5) == Array("\r\n.\r\n".utf8)
                else { return }
                let body = client.bytes
                client.bytes = []
                return hand(".", body, client)
            case .command, .login:
                guard let end = client.bytes.firstIndex(of: 0x0A) else { return }
                let line = Array(client.bytes[..<end])
                client.bytes.removeFirst(end + 1)
                // RFC 5321, section 4.5.3.1.4, and RFC 4954, section 4.
                guard line.last == 0x0D, line.count < 12_288 else { return client.wire.finish() }
                let verb = String(decoding: line.prefix { $0 != 0x20 && $0 != 0x0D }, as: UTF8.self).uppercased()
                hand(client.mode == .login ? "AUTH" : verb, Array(line.dropLast()), client)
            }
        }
    }

    private func hand(_ verb: String, _ body: [UInt8], _ client: Client) {
        guard host.service.routes.contains(where: { $0.name == "\(verb) /" }) else {
            return client.wire.send(Array("500 5.5.1 Command unrecognized\r\n".utf8))
        }
        var fields: HTTPFields = ["Connection-Name": client.name]
        if client.mode == .login { fields.set("Continues", "yes") }
        let request = FakeRequest(
            method: HTTPMethod(rawValue: verb), origin: "", path: "/", query: "", fields: fields, body: body)
        let name = client.name
        client.turn = Task(executorPreference: loop) { [turn = client.turn] in
            await turn.value
            await self.answer(request, to: name)
        }
    }

    private func answer(_ request: FakeRequest, to name: String) async {
        switch await host.handle(request) {
        case .response(let answer): loop.execute { [self] in say(answer.body, to: name) }
        case .slow(let answer):
            let middle = answer.body.count / 2
            loop.execute { [self] in clients[name]?.wire.send(Array(answer.body[..<middle])) }
            await host.hold()
            loop.execute { [self] in say(answer.body, from: middle, to: name) }
        case .reset: loop.execute { [self] in clients[name]?.wire.end() }
        }
    }

    private func say(_ answer: [UInt8], from start: Int = 0, to name: String) {
        guard let client = clients[name] else { return }
        let code = Int(String(decoding: answer.prefix(3), as: UTF8.self))
        switch code {
        case 334: client.mode = .login
        case 354: client.mode = .message
        default: client.mode = .command
        }
        // A proxy that gives up says nothing.
        guard !answer.isEmpty else { return client.wire.end() }
        client.wire.send(Array(answer[start...]) + [0x0D, 0x0A])
        // It says good-bye; and what is no mail server does not wait for more.
        if code == nil || code == 221 || code == 421 { client.wire.finish() }
    }
}
