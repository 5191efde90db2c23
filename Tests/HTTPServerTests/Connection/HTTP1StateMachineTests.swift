import Testing

@testable import HTTPServer

/// The life of a connection, without a socket.
struct HTTP1StateMachineTests {
    private let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    // MARK: Requests

    @Test func `a request is served when its head is whole, however it comes`() {
        for cut in 0...get.utf8.count {
            var bench = MachineBench()

            bench.send(String(get.prefix(cut)))
            let first = bench.next()
            bench.send(String(get.dropFirst(cut)))

            #expect([first, bench.next()].joined() == "GET /a")
        }
    }

    @Test func `requests that come together are served one after the other`() {
        var bench = MachineBench()
        bench.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")

        #expect(bench.next() == "GET /1")
        #expect(bench.next() == "")
        #expect(bench.respond() == .implied)
        #expect(bench.next() == "GET /2")
    }

    @Test func `the next request waits until the client has taken the response before`() {
        var bench = MachineBench()
        bench.send(get + get)
        _ = bench.next()

        bench.machine.hasBacklog = true
        bench.respond()
        #expect(bench.next() == "")
        #expect(bench.drained() == [.finish])

        #expect(bench.next() == "GET /a")
    }

    @Test func `a message that is none is refused, and the connection closes`() {
        var bench = MachineBench()
        bench.send("HEAD /a HTTP/1.1\r\n\r\n" + get)

        #expect(bench.next() == "refused 400 HEAD")
        #expect(bench.respond() == .close)
        #expect(bench.drained() == [.endWriting])
        #expect(bench.machine.state == .lingering)
    }

    @Test func `the last request that a connection may make closes it`() {
        var bench = MachineBench(.with { $0.requestsPerConnection = 2 })
        bench.send(get + get + get)

        _ = bench.next()
        #expect(bench.respond() == .implied)
        _ = bench.next()
        #expect(bench.respond() == .close)
        #expect(bench.next() == "")
    }

    @Test(arguments: [
        ("", ResponseHead.Persistence.close), ("Connection: keep-alive\r\n", .announced),
    ])
    func `a client of HTTP/1.0 has to ask for the connection to go on`(
        field: String, expected: ResponseHead.Persistence
    ) {
        var bench = MachineBench()
        bench.send("GET /a HTTP/1.0\r\n\(field)\r\n")
        _ = bench.next()

        #expect(bench.respond() == expected)
    }

    @Test func `a response that ends with the connection closes it`() {
        var bench = MachineBench()
        bench.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        _ = bench.next()

        #expect(bench.respond(.untilClose) == .close)
    }

    @Test(arguments: [true, false])
    func `a client that begins with HTTP/2 is understood where that is spoken`(speaksHTTP2: Bool) {
        var bench = MachineBench(speaksHTTP2: speaksHTTP2)
        bench.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

        #expect(bench.next() == (speaksHTTP2 ? "HTTP/2" : "refused 505"))
        if speaksHTTP2 { #expect(bench.machine.takeInput().count == 24) }
    }

    @Test func `HTTP/2 cannot follow a request of HTTP/1.1`() {
        var bench = MachineBench()
        bench.send(get + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        _ = bench.next()
        bench.respond()

        #expect(bench.next() == "refused 505")
    }

    // MARK: Back-pressure

    @Test func `later requests are taken in up to a bound while one is served`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        #expect(bench.machine.wantsToRead)

        bench.send(String(repeating: get, count: 1000))

        #expect(!bench.machine.wantsToRead)
        #expect(bench.becomeReadable() == .stopWatching)
        #expect(bench.client.bytes.count > 10_000)
    }

    @Test func `nothing is read for a client that takes nothing`() {
        var bench = MachineBench()

        bench.machine.hasBacklog = true

        #expect(!bench.machine.wantsToRead && bench.machine.wantsToWrite)
    }

    @Test func `a producer waits when the client is slow, and when others want their turn`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        bench.machine.awaitProducer()
        _ = bench.machine.beginResponse(.chunked, isDraining: false)

        #expect(bench.machine.write(5) == .chunked)
        #expect(bench.machine.pausesProducer(after: 5) == false)
        bench.machine.hasBacklog = true
        #expect(bench.machine.pausesProducer(after: 5) == true)
        bench.machine.writerWaits()
        #expect(bench.drained() == [.resumeProducer])
        #expect(bench.machine.pausesProducer(after: 1 << 20) == true)
        bench.machine.writerWaits()
        #expect(bench.drained() == [])
        bench.machine.share = 1
        #expect(bench.drained() == [.resumeProducer])
    }

    @Test func `a producer writes what it has declared, and no more`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        _ = bench.machine.beginResponse(.sized(5), isDraining: false)

        #expect(bench.machine.write(3) == .sized(5))
        #expect(bench.machine.write(3) == nil)
        #expect(bench.machine.request.response.missing == 2)
        #expect(bench.machine.write(2) == .sized(2))
        #expect(bench.machine.request.response.missing == 0)
    }

    // MARK: The end

    @Test func `a client that has ended its side is answered, then closed without waiting for it`() {
        var bench = MachineBench()
        bench.send(get + get)
        bench.end()
        bench.end()

        for _ in 0..<2 {
            #expect(bench.next() == "GET /a")
            bench.respond()
        }
        #expect(bench.next() == "")
        #expect(bench.drained() == [])
        #expect(bench.machine.ending == .close)
    }

    @Test func `a client that announced its end is closed without waiting for it`() {
        var bench = MachineBench()
        bench.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        _ = bench.next()

        #expect(bench.respond() == .close)
        #expect(bench.drained() == [])
        #expect(bench.machine.ending == .close)
    }

    @Test func `what comes after the last response is dropped until the client ends its side`() {
        var bench = MachineBench(.with { $0.requestsPerConnection = 1 })
        bench.send(get)
        _ = bench.next()
        bench.respond()
        #expect(bench.drained() == [.endWriting])

        bench.send(get)
        #expect(bench.next() == "")
        #expect(bench.machine.ending == .none)
        bench.end()

        #expect(bench.machine.ending == .close)
    }

    @Test func `no more is dropped after the last response than the limit says`() {
        var bench = MachineBench(
            .with {
                $0.requestsPerConnection = 1
                $0.lingerBytes = 100
            })
        bench.send(get)
        _ = bench.next()
        bench.respond()
        _ = bench.drained()

        bench.send(String(repeating: "x", count: 100))
        #expect(bench.machine.ending == .none)
        bench.send("x")

        #expect(bench.machine.ending == .close)
    }

    @Test func `draining closes what is idle, and lets what has arrived be answered`() {
        var idle = MachineBench()
        idle.machine.drain()
        #expect(idle.machine.state == .closing)

        var busy = MachineBench()
        busy.send(get + get)
        busy.machine.drain()
        #expect(busy.next() == "GET /a")
        #expect(busy.respond(isDraining: true) == .close)
        #expect(busy.next() == "")
    }

    @Test func `a failure cuts the connection, whatever it waits for`() {
        var bench = MachineBench()
        bench.send(get)

        bench.machine.fail()

        #expect(bench.machine.ending == .cut)
        #expect(bench.next() == "")
    }
}
