import TestTools
import Testing

@testable import HTTPServer

/// The bodies of requests, without a socket.
struct HTTP1BodyMachineTests {
    private func post(_ length: Int, _ more: String = "") -> String {
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    private let get = "GET /b HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `a body is received when its reader asks, and not before`() {
        var bench = MachineBench()
        bench.send(post(6))
        _ = bench.next()

        #expect(!bench.machine.wantsToRead)
        bench.send("abc")
        #expect(bench.client.bytes.count == 3)
        #expect(bench.readBody() == ["abc", "wait"])
        bench.machine.readerWaits()
        #expect(bench.machine.wantsToRead)
        bench.client.bytes += "def".utf8
        #expect(bench.becomeReadable() == .serveReader)
        #expect(bench.readBody() == ["def", "end"])
    }

    @Test func `a body ends where it says, and the next request follows`() {
        for framing in ["Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"] {
            var bench = MachineBench()
            bench.send("POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\(get)")
            _ = bench.next()

            #expect(bench.readBody() == ["abc", "end"])
            #expect(bench.respond() == .implied)
            #expect(bench.next() == "GET /b")
        }
    }

    @Test func `a piece of a large body ends at a multiple of 64 KiB`() {
        var bench = MachineBench()
        bench.send(post(200_000) + "ab")
        _ = bench.next()
        #expect(bench.readBody() == ["ab", "wait"])

        bench.client.bytes += [UInt8](repeating: 0x78, count: 199_998)
        bench.becomeReadable()

        #expect(bench.readBody().map(\.utf8.count) == [65_534, 65_536, 65_536, 3_392, 3])
    }

    @Test func `a body gives way to others when its share is received`() {
        var bench = MachineBench()
        bench.send(post(200_000))
        _ = bench.next(bodyLimit: 1 << 20)
        bench.machine.share = 1
        bench.client.bytes += [UInt8](repeating: 0x78, count: 200_000)
        bench.becomeReadable()

        #expect(bench.readBody().map(\.utf8.count) == [65_536, 4])
    }

    @Test func `100 Continue is sent once, when somebody asks for the body`() {
        var bench = MachineBench()
        bench.send(post(3, "Expect: 100-continue\r\n"))
        _ = bench.next()

        #expect(bench.readBody() == ["100", "wait"])
        #expect(bench.readBody() == ["wait"])
    }

    @Test func `a client that sends without waiting is not told to go on`() {
        var bench = MachineBench()
        bench.send(post(3, "Expect: 100-continue\r\n") + "abc")
        _ = bench.next()

        #expect(bench.readBody() == ["abc", "end"])
    }

    @Test func `after the final response nobody is told to go on`() {
        var bench = MachineBench()
        bench.send(post(3, "Expect: 100-continue\r\n"))
        _ = bench.next()
        _ = bench.machine.beginResponse(.chunked, isDraining: false)

        #expect(bench.readBody() == ["wait"])
    }

    @Test func `a small body that nobody reads is skipped`() {
        var bench = MachineBench()
        bench.send(post(6) + "abc")
        _ = bench.next()

        #expect(bench.respond() == .implied)
        #expect(bench.machine.state == .discarding)
        bench.send("def" + get)

        #expect(bench.next() == "GET /b")
    }

    @Test(arguments: [
        (1_000_000, ""), (3, "Expect: 100-continue\r\n"),
    ])
    func `a body that cannot be skipped closes the connection`(length: Int, expectation: String) {
        var bench = MachineBench()
        bench.send(post(length, expectation))
        _ = bench.next()

        #expect(bench.respond() == .close)
    }

    @Test func `a body over its limit closes the connection`() {
        var announced = MachineBench()
        announced.send(post(11))
        _ = announced.next(bodyLimit: 10)
        #expect(announced.respond() == .close)

        var chunked = MachineBench()
        chunked.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n")
        _ = chunked.next(bodyLimit: 10)
        #expect(chunked.readBody() == ["\(BodyError.tooLarge(limit: 10))"])
        #expect(chunked.respond() == .close)
    }

    @Test func `a chunked body that is skipped is bounded too`() {
        var bench = MachineBench(.with { $0.drainedBody = 10 })
        bench.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        _ = bench.next()
        #expect(bench.respond() == .implied)

        bench.send("b\r\nhello world\r\n0\r\n\r\n" + get)

        #expect(bench.machine.state == .closing)
        #expect(bench.next() == "")
    }

    @Test func `a client that ends its side in the middle of a body has sent it incomplete`() {
        var bench = MachineBench()
        bench.send(post(6) + "abc")
        _ = bench.next()
        #expect(bench.readBody() == ["abc", "wait"])
        bench.machine.readerWaits()

        bench.end()

        #expect(bench.readBody() == ["\(BodyError.incomplete)"])
        #expect(bench.respond() == .close)
    }

    @Test func `a broken coding fails for good`() {
        var bench = MachineBench()
        bench.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n")
        _ = bench.next()

        #expect(bench.readBody() == ["\(BodyError.malformed)"])
        #expect(bench.readBody() == ["\(BodyError.malformed)"])
    }

    // MARK: Pieces

    @Test func `what is served does not depend on how the bytes were cut`() {
        let chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nA: b\r\n\r\n"
        let whole = Array(
            (get + "POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
                + "POST /read HTTP/1.1\r\nHost: h\r\n\(chunked)"
                + "POST /skip HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\nunread"
                + "POST /skip HTTP/1.1\r\nHost: h\r\n\(chunked)" + get + "HEAD nonsense\r\n\r\n").utf8)
        let expected = [
            "GET /b", "POST /read", "hello", "POST /read", "abcdefg", "POST /skip", "POST /skip", "GET /b",
            "refused 400",
        ]
        var numbers = SplitMix64(seed: 1)

        #expect(story([whole[...]]) == expected)
        for _ in 0..<300 {
            let count = Int.random(in: 1...8, using: &numbers)
            let cuts = (0..<count).map { _ in Int.random(in: 0...whole.count, using: &numbers) }.sorted()
            let pieces = zip([0] + cuts, cuts + [whole.count]).map { whole[$0..<$1] }
            #expect(story(pieces) == expected, "cut at \(cuts)")
        }
    }

    /// The requests that are served and the bodies that are read when `pieces` come one after the other.
    private func story(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var bench = MachineBench()
        var story: [String] = []
        for piece in pieces {
            bench.client.bytes += piece
            var before: (story: [String], left: Int)
            repeat {
                before = (story, bench.client.bytes.count)
                bench.becomeReadable()
                proceed(&bench, &story)
            } while before != (story, bench.client.bytes.count)
        }
        return story
    }

    private func proceed(_ bench: inout MachineBench, _ story: inout [String]) {
        while bench.machine.state != .handling, case let request = bench.next(), request != "" {
            story.append(request)
            if request == "POST /read" { story.append("") } else { bench.respond() }
        }
        guard bench.machine.state == .handling else { return }
        for part in bench.readBody() {
            switch part {
            case "wait": bench.machine.readerWaits()
            case "end": bench.respond()
            default: story[story.count - 1] += part
            }
        }
    }
}
