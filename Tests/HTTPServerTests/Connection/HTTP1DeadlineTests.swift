import Testing

@testable import HTTPServer

/// Every deadline of a connection, to the nanosecond.
struct HTTP1DeadlineTests {
    private let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
    private let post = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"
    private let limits = Limits()

    /// Lets all but a nanosecond of `duration` pass, which changes nothing, and then the rest.
    private func expire(_ bench: inout MachineBench, _ duration: Duration) -> HTTP1StateMachine.TimeoutAction {
        let ending = bench.machine.ending
        #expect(bench.pass(duration - .nanoseconds(1)) == .none)
        #expect(bench.machine.ending == ending)
        return bench.pass(.nanoseconds(1))
    }

    @Test func `an idle connection is closed without a word`() {
        var bench = MachineBench()

        #expect(expire(&bench, limits.idle) == .none)

        #expect(bench.machine.ending == .close)
    }

    @Test func `the time of an idle connection begins anew with each response`() {
        var bench = MachineBench()
        _ = bench.pass(.seconds(70))
        bench.send(get)
        _ = bench.next()
        _ = bench.pass(.seconds(10))
        bench.respond()

        _ = expire(&bench, limits.idle)

        #expect(bench.machine.ending == .close)
    }

    @Test(arguments: [("GET /a HTTP/1.1\r\nHo", false), ("HEAD /a HTTP/1.1\r\nHo", true)])
    func `a head that does not end in time is refused`(beginning: String, isHead: Bool) {
        var bench = MachineBench()
        _ = bench.pass(.seconds(60))
        bench.send(beginning)
        #expect(bench.next() == "")
        // More of it gives no more time.
        _ = bench.pass(.seconds(4))
        bench.send("s")
        #expect(bench.next() == "")

        #expect(expire(&bench, limits.headerTime - .seconds(4)) == .refuse(.tooSlow, isHead: isHead))
        #expect(bench.respond() == .close)
    }

    @Test func `a handler that takes too long is answered for`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()

        #expect(expire(&bench, .seconds(60)) == .respond(.handlerTooSlow))
        #expect(bench.respond() == .close)
    }

    @Test func `a handler without a limit may take as long as it likes`() {
        var bench = MachineBench(.with { $0.handlerTime = nil })
        bench.send(get)
        _ = bench.next()

        #expect(bench.machine.deadline(at: bench.now) == nil)
    }

    @Test func `a handler whose client has ended its side is told to give up, once`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        bench.end()

        #expect(expire(&bench, limits.halfClosed) == .cancelHandler)
        #expect(expire(&bench, .seconds(60)) == .respond(.handlerTooSlow))
    }

    @Test func `a body that stalls fails its reader`() {
        var bench = MachineBench()
        bench.send(post)
        _ = bench.next()
        _ = bench.readBody()
        bench.machine.readerWaits()
        bench.endTurn()

        #expect(expire(&bench, limits.bodyStall) == .failBody(.tooSlow))
        #expect(bench.readBody() == ["\(BodyError.tooSlow)"])
        #expect(bench.respond() == .close)
    }

    @Test func `a body below the least rate fails though it never stalls`() {
        var bench = MachineBench(
            .with {
                $0.bodyStall = .seconds(10)
                $0.bodyRate = 1000
            })
        bench.send(post)
        _ = bench.next()
        var action = HTTP1StateMachine.TimeoutAction.none
        var seconds = 0
        while action == .none, seconds < 100 {
            _ = bench.readBody()
            bench.machine.readerWaits()
            bench.endTurn()
            action = bench.pass(.seconds(1))
            bench.client.bytes += [UInt8](repeating: 0x78, count: 500)
            if action == .none, bench.becomeReadable() == .serveReader { _ = bench.readBody() }
            bench.machine.readerResumes(at: bench.now)
            seconds += 1
        }

        // 500 bytes a second earn half a second each: of ten seconds nothing is left after twenty.
        #expect(action == .failBody(.tooSlow))
        #expect(19...20 ~= seconds)
    }

    @Test func `the time that a handler takes with a body does not count for its rate`() {
        var bench = MachineBench(
            .with {
                $0.bodyStall = .seconds(10)
                $0.bodyRate = 1_000_000
                $0.handlerTime = nil
            })
        bench.send(post + "abc")
        _ = bench.next()
        _ = bench.readBody()

        #expect(bench.pass(.seconds(1000)) == .none)
        bench.machine.readerWaits()
        bench.endTurn()

        #expect(expire(&bench, .seconds(10)) == .failBody(.tooSlow))
    }

    @Test func `the rest of a body that nobody reads has to come in time`() {
        var bench = MachineBench()
        bench.send(post)
        _ = bench.next()
        bench.respond()

        _ = expire(&bench, limits.bodyStall)

        #expect(bench.machine.ending == .close)
    }

    @Test func `a client that takes nothing of its response is cut, and one that takes some is not`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        bench.machine.hasBacklog = true
        bench.respond()

        _ = bench.pass(limits.writeStall - .seconds(1))
        bench.machine.sent(at: bench.now)
        _ = bench.pass(limits.writeStall - .seconds(1))
        #expect(bench.machine.ending == .none)
        _ = bench.pass(.seconds(1))

        #expect(bench.machine.ending == .cut)
    }

    @Test func `a producer may take as long as it likes, its client may not`() {
        var bench = MachineBench()
        bench.send(get)
        _ = bench.next()
        bench.machine.awaitProducer()
        #expect(bench.machine.deadline(at: bench.now) == nil)
        _ = bench.machine.beginResponse(.chunked, isDraining: false)
        #expect(bench.machine.deadline(at: bench.now) == nil)

        bench.machine.hasBacklog = true
        bench.machine.writerWaits()
        bench.endTurn()
        _ = expire(&bench, limits.writeStall)

        #expect(bench.machine.ending == .cut)
    }

    @Test func `a client that does not end its side after the last response is closed`() {
        var bench = MachineBench(.with { $0.requestsPerConnection = 1 })
        bench.send(get)
        _ = bench.next()
        bench.respond()
        _ = bench.drained()

        _ = expire(&bench, limits.linger)

        #expect(bench.machine.ending == .close)
    }

    @Test func `a timer that comes too early changes nothing`() {
        var bench = MachineBench()
        _ = bench.pass(.seconds(74))
        bench.send(get)
        _ = bench.next()
        bench.respond()

        #expect(bench.pass(.seconds(1)) == .none)
        #expect(bench.machine.ending == .none)
    }
}
