import CTLS
import Testing

@testable import TLS

struct TransferTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `10 MB through a small socket arrive equal`(version: Int32) throws {
        let connection = try TestConnection(
            sharedContext(), ClientWishes(versions: version...version), bufferSize: 8192)
        #expect(connection.shakeHands() == (.done, .done))
        let sent = bytes(10_000_000)
        var received: [UInt8] = []
        received.reserveCapacity(sent.count)
        var (position, waits) = (0, 0)

        while received.count < sent.count {
            // In another place for each attempt, as a queue of bytes would do.
            var rest = Array(sent[position..<min(position + 40_000, sent.count)])
            while !rest.isEmpty, case .bytes(let count) = rest.withUnsafeBytes(connection.server.send) {
                #expect(count <= TLSSession.maximumRecord)
                position += count
                rest.removeFirst(count)
            }
            if !rest.isEmpty { waits += 1 }
            #expect(connection.client.receive(into: &received) == .waits)
        }

        #expect(received == sent)
        #expect(waits > 100)
    }

    @Test(arguments: [1000, 16384, 100_000])
    func `10 MB from the client arrive equal, whatever the buffer`(size: Int) throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 65536)
        #expect(connection.shakeHands() == (.done, .done))
        let sent = bytes(10_000_000)
        var rest = ArraySlice(sent)
        var received: [UInt8] = []
        received.reserveCapacity(sent.count)
        var buffer = [UInt8](repeating: 0, count: size)

        while received.count < sent.count {
            _ = connection.client.send(&rest)
            while case .bytes(let count) = buffer.withUnsafeMutableBytes(connection.server.receive) {
                received += buffer[..<count]
            }
            #expect(!connection.server.hasPending)
        }

        #expect(received == sent)
    }

    @Test func `what a small buffer leaves behind is pending`() throws {
        let connection = try connect(sharedContext())
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)

        #expect(!connection.server.hasPending)
        #expect(connection.receive(atMost: 5) == (.bytes(5), Array("quest".utf8)))
        #expect(connection.server.hasPending)
        #expect(connection.sockets.takeAtServer() == [])
        #expect(connection.receive(atMost: 5) == (.bytes(3), Array("ion".utf8)))
        #expect(!connection.server.hasPending)
    }

    @Test func `bytes that did not fit are sent again with more behind them`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.shakeHands() == (.done, .done))
        connection.takeTickets()
        let filling = connection.sockets.fillFromServer()

        #expect(connection.send("one") == .wantsWrite)
        #expect(!connection.server.sendCloseNotify())
        connection.sockets.takeAtClient(filling)
        #expect(connection.send("one two") == .bytes(3))
        #expect(connection.send(" two") == .bytes(4))

        var received: [UInt8] = []
        #expect(connection.client.receive(into: &received) == .waits)
        #expect(received == Array("one two".utf8))
    }

    @Test func `receiving goes on while sending waits`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.shakeHands() == (.done, .done))
        _ = connection.sockets.fillFromServer()
        #expect(connection.send("answer") == .wantsWrite)
        var question = ArraySlice("question".utf8)

        #expect(connection.client.send(&question) == .done)

        #expect(connection.receive() == (.bytes(8), Array("question".utf8)))
        #expect(connection.receive().result == .wantsRead)
        #expect(connection.send("answer") == .wantsWrite)
    }

    @Test func `nothing to send is sent at once`() throws {
        #expect(try connect(sharedContext()).send("") == .bytes(0))
    }

    /// Bytes without a pattern that a mistake could follow.
    private func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            RAND_bytes(buffer.baseAddress, Int32(count))
            initialized = count
        }
    }
}
