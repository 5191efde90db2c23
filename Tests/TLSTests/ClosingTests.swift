import CTLS
import Testing

@testable import TLS

struct ClosingTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a client that says goodbye has ended, and still gets its answer`(version: Int32) throws {
        let connection = try connect(sharedContext(), ClientWishes(versions: version...version))
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)
        connection.client.sendCloseNotify()
        connection.sockets.endClient()

        #expect(connection.receive() == (.bytes(8), Array("question".utf8)))
        #expect(connection.receive().result == .end)

        #expect(connection.receive().result == .end)
        #expect(connection.server.receivedCloseNotify)
        #expect(connection.send("answer") == .bytes(6))
        #expect(connection.server.sendCloseNotify())
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `a client whose side just ends has ended too, and still gets its answer`(version: Int32) throws {
        let connection = try connect(sharedContext(), ClientWishes(versions: version...version))
        connection.sockets.endClient()

        #expect(connection.receive().result == .end)

        #expect(connection.receive().result == .end)
        #expect(!connection.server.receivedCloseNotify)
        #expect(connection.send("answer") == .bytes(6))
        #expect(connection.server.sendCloseNotify())
        var response: [UInt8] = []
        #expect(connection.client.receive(into: &response) == .end)
        #expect(response == Array("answer".utf8))
    }

    @Test func `a client that ends amid a record has ended`() throws {
        let connection = try connect(sharedContext())
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)
        connection.sockets.send(connection.sockets.takeAtServer().dropLast())
        connection.sockets.endClient()

        #expect(connection.receive().result == .end)
        #expect(!connection.server.receivedCloseNotify)
    }

    @Test func `the server says goodbye once`() throws {
        let connection = try connect(sharedContext())

        #expect(connection.server.sendCloseNotify())
        #expect(connection.server.sendCloseNotify())

        var bytes: [UInt8] = []
        #expect(connection.client.receive(into: &bytes) == .end)
        #expect(connection.client.receivedCloseNotify)
        #expect(connection.sockets.takeAtClient() == [])
    }

    @Test func `after its goodbye the server still receives, and sends no more`() throws {
        let connection = try connect(sharedContext())
        #expect(connection.server.sendCloseNotify())
        var question = ArraySlice("question".utf8)
        #expect(connection.client.send(&question) == .done)

        #expect(connection.receive() == (.bytes(8), Array("question".utf8)))
        #expect(connection.send("answer") == .failed("protocol is shutdown"))
    }

    @Test func `a full socket takes no goodbye, until there is room`() throws {
        let connection = try TestConnection(sharedContext(), bufferSize: 4096)
        #expect(connection.shakeHands() == (.done, .done))
        connection.takeTickets()
        let filling = connection.sockets.fillFromServer()

        #expect(!connection.server.sendCloseNotify())
        connection.sockets.takeAtClient(filling)
        #expect(connection.server.sendCloseNotify())

        var bytes: [UInt8] = []
        #expect(connection.client.receive(into: &bytes) == .end)
    }

    @Test func `there is no goodbye before the handshake`() throws {
        let connection = try TestConnection(sharedContext())

        #expect(!connection.server.sendCloseNotify())

        #expect(connection.sockets.takeAtClient() == [])
    }

    @Test func `sending to a client that is gone fails with a reason`() throws {
        let connection = try connect(sharedContext())
        connection.sockets.closeClient()

        #expect(connection.send("answer") == .failed("Broken pipe"))
        #expect(connection.send("answer") == .failed("Broken pipe"))
        #expect(connection.receive().result == .failed("Broken pipe"))
        #expect(!connection.server.sendCloseNotify())
    }
}
