import CTLS
import TestTools
import Testing

@testable import TLS

struct HostileClientTests {
    @Test(
        arguments: [
            (Array("GET / HTTP/1.1\r\nHost: server.test\r\n\r\n".utf8), "http request"),
            (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), "wrong version number"),
            ([UInt8](repeating: 0, count: 64), "wrong version number"),
            ([UInt8](repeating: 0xFF, count: 64), "wrong version number"),
            // A record of TLS, with something else than a handshake, or longer than any may be.
            ([23, 3, 3, 0, 4, 1, 2, 3, 4], "unexpected message"),
            ([22, 3, 3, 0xFF, 0xFF, 1, 0, 0, 0], "packet length too long"),
            // A ServerHello, from a client.
            ([22, 3, 3, 0, 4, 2, 0, 0, 0], "unexpected message"),
            // A ClientHello with nothing in it.
            ([22, 3, 3, 0, 4, 1, 0, 0, 0], "length too short"),
        ] as [([UInt8], String)])
    func `what is no ClientHello fails with a reason`(bytes: [UInt8], reason: String) throws {
        let sockets = SocketPair()
        let session = try TLSSession(sharedContext(), descriptor: sockets.server)
        sockets.send(bytes)

        #expect(session.handshake() == .failed(reason))

        #expect(session.handshake() == .failed(reason))
        #expect(!session.sendCloseNotify())
        #expect(!session.hasPending)
    }

    @Test func `random bytes never do more than fail`() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let sockets = SocketPair()
            let session = try TLSSession(sharedContext(), descriptor: sockets.server)
            sockets.send(random.bytes(256))
            sockets.endClient()

            guard case .failed = session.handshake() else { return #expect(Bool(false), "random bytes were taken") }
        }
    }

    @Test func `a ClientHello that is cut off anywhere fails when the client is gone`() throws {
        let hello = try clientHello()

        for count in 0..<hello.count {
            let sockets = SocketPair()
            let session = try TLSSession(sharedContext(), descriptor: sockets.server)
            sockets.send(hello.prefix(count))
            #expect(session.handshake() == .wantsRead)
            sockets.endClient()

            #expect(session.handshake() == .failed("the peer closed the connection during the handshake"))
        }
    }

    @Test func `a ClientHello with any one byte changed is answered or refused`() throws {
        let hello = try clientHello()
        var random = SplitMix64(seed: 2)

        for index in hello.indices {
            let sockets = SocketPair()
            let session = try TLSSession(sharedContext(), descriptor: sockets.server)
            var changed = hello
            changed[index] ^= UInt8.random(in: 1...255, using: &random)
            sockets.send(changed)
            let response = session.handshake()
            sockets.endClient()

            #expect(response != .done)
            guard case .failed = session.handshake() else { return #expect(Bool(false), "\(changed) was taken") }
        }
    }

    @Test func `a ClientHello of 20 KB is refused, one of 12 KB is not`() throws {
        let fillers = (0..<80).map { "\($0)".padding(to: 250) }
        let large = try TestConnection(sharedContext(), ClientWishes(protocols: fillers + ["h2"]))
        let bearable = try TestConnection(sharedContext(), ClientWishes(protocols: fillers.prefix(48) + ["h2"]))

        let result = large.shakeHands()

        #expect(
            result == (
                .failed("the client sent too much before its handshake was done"),
                .failed("sslv3 alert illegal parameter")
            ))
        #expect(bearable.shakeHands() == (.done, .done))
    }

    @Test func `a ClientHello that goes on and on is cut off`() throws {
        let sockets = SocketPair()
        let session = try TLSSession(sharedContext(), descriptor: sockets.server)
        // A message of 100,000 bytes is announced, and comes in records of 1,000.
        let record: [UInt8] = [22, 3, 1, 0x03, 0xE8]
        sockets.send(record + [1, 0x01, 0x86, 0xA0, 3, 3] + [UInt8](repeating: 0, count: 994))

        for _ in 1...16 {
            #expect(session.handshake() == .wantsRead)
            sockets.send(record + [UInt8](repeating: 0, count: 1000))
        }

        #expect(session.handshake() == .failed("the client sent too much before its handshake was done"))
    }

    @Test func `a request to renegotiate is refused, and the session goes on`() throws {
        let wishes = ClientWishes(versions: TLS1_2_VERSION...TLS1_2_VERSION)
        let connection = try connect(sharedContext(), wishes)

        #expect(connection.client.renegotiate() == .waits)
        #expect(connection.receive().result == .wantsRead)

        #expect(connection.send("still here") == .bytes(10))
        #expect(connection.client.handshake() == .failed("no renegotiation"))
    }

    @Test func `a client may change its keys, and each change is a turn of its own`() throws {
        let connection = try connect(sharedContext())
        for _ in 0..<3 { #expect(connection.client.updateKeys() == .done) }
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)

        let results = (0..<10).map { _ in connection.receive().result }

        #expect(results.prefix(3) == [.wantsRead, .wantsRead, .wantsRead])
        #expect(results.filter { $0 != .wantsRead } == [.bytes(8)])
        #expect(connection.send("answer") == .bytes(6))
        var response: [UInt8] = []
        #expect(connection.client.receive(into: &response) == .waits)
        #expect(response == Array("answer".utf8))
    }

    @Test func `keys may change while the server's bytes wait`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.shakeHands() == (.done, .done))
        connection.takeTickets()
        let filling = connection.sockets.fillFromServer()
        #expect(connection.send("one") == .wantsWrite)
        #expect(connection.client.updateKeys() == .done)
        #expect(connection.receive().result == .wantsRead)

        connection.sockets.takeAtClient(filling)
        #expect(connection.send("one") == .bytes(3))
        #expect(connection.send("two") == .bytes(3))

        var response: [UInt8] = []
        #expect(connection.client.receive(into: &response) == .waits)
        #expect(response == Array("onetwo".utf8))
    }

    @Test func `a client that asks for new keys again and again, and never reads, makes nobody wait`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.shakeHands() == (.done, .done))
        var results: Set<TLSSession.Received> = []

        for _ in 0..<2000 {
            _ = connection.client.updateKeys()
            results.insert(connection.receive().result)
        }

        #expect(results.isSubset(of: [.wantsRead, .wantsWrite]))
    }

    @Test func `a record that was changed on its way ends the session`() throws {
        let connection = try connect(sharedContext())
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)
        var record = connection.sockets.takeAtServer()
        record[record.count - 1] ^= 1
        connection.sockets.send(record)

        #expect(connection.receive().result == .failed("decryption failed or bad record mac"))

        #expect(connection.receive().result == .failed("decryption failed or bad record mac"))
        #expect(connection.send("answer") == .failed("decryption failed or bad record mac"))
        var response: [UInt8] = []
        #expect(connection.client.receive(into: &response) == .failed("sslv3 alert bad record mac"))
    }

    /// The first bytes of a client.
    private func clientHello() throws -> [UInt8] {
        let connection = try TestConnection(
            sharedContext(), ClientWishes(protocols: ["h2", "http/1.1"], serverName: "server.test"))
        #expect(connection.client.handshake() == .waits)
        return connection.sockets.takeAtServer()
    }
}

extension String {
    fileprivate func padding(to length: Int) -> String { self + String(repeating: ".", count: length - count) }
}
