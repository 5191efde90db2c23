import EventLoops
import HTTP
import HTTPServer
import TestTools
import Testing

struct BodyTests {
    @Test func `a chunked upload reaches the handler piece by piece`() async throws {
        let pieces = Box<[String]>([])
        let arrived = [Signal(), Signal(), Signal()]
        let route = Route(.post, "/a") { request in
            while let piece = try await request.body.next() {
                pieces.update { $0.append(String(decoding: piece, as: UTF8.self)) }
                arrived[pieces.value.count - 1].fire()
            }
            return .noContent
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")

            // Each piece is sent only after the one before was seen.
            try await client.send("3\r\none\r\n")
            await arrived[0].wait()
            try await client.send("3\r\ntwo\r\n")
            await arrived[1].wait()
            try await client.send("5\r\nthree\r\n0\r\n\r\n")

            #expect(try await client.response().status == 204)
            #expect(pieces.value == ["one", "two", "three"])
        }
    }

    @Test(arguments: ["Content-Length: 3000000", "Transfer-Encoding: chunked"])
    func `a large upload arrives whole and in order`(framing: String) async throws {
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        let largest = Box(0)
        let whole = Box<[UInt8]>([])
        let route = Route(.post, "/a", bodyLimit: 4_000_000) { request in
            while let piece = try await request.body.next() {
                largest.update { $0 = max($0, piece.count) }
                whole.update { $0 += piece }
            }
            return .text(String(request.body.declaredLength ?? -1))
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\n\(framing)\r\n\r\n")
            if framing.hasPrefix("Content") {
                try await client.send(content)
            } else {
                for start in stride(from: 0, to: content.count, by: 99_999) {
                    let piece = content[start..<min(start + 99_999, content.count)]
                    try await client.send(
                        Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
                }
                try await client.send("0\r\n\r\n")
            }

            let response = try await client.response()

            #expect(response.body == (framing.hasPrefix("Content") ? "3000000" : "-1"))
            #expect(whole.value == content)
            #expect(largest.value <= 64 << 10)
        }
    }

    @Test func `100 Continue is sent when the body is asked for`() async throws {
        let asked = Signal()
        let route = Route(.post, "/a") { request in
            await asked.wait()
            return .text(String(decoding: try await request.body.collect(upTo: 10), as: UTF8.self))
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")

            asked.fire()
            #expect(try await client.response().status == 100)
            try await client.send("abc")

            let response = try await client.response()
            #expect(response.status == 200 && response.body == "abc")
            #expect(response["Connection"] == nil)
        }
    }

    @Test func `who refuses a body sends no 100 Continue and closes`() async throws {
        try await withServer([Route(.post, "/a") { _ in HTTPResponse(.forbidden) }]) { server in
            let answers = try await server.answers(
                to: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")

            #expect(answers.map(\.status) == [403])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `a body over its route's limit is refused before it is read`() async throws {
        let route = Route(.post, "/a", bodyLimit: 10) { _ in
            Issue.record("called")
            return .noContent
        }
        try await withServer([route]) { server in
            let answers = try await server.answers(to: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n")

            #expect(answers.map(\.status) == [413])
        }
    }

    @Test func `a chunked body over its route's limit is refused when it gets there`() async throws {
        let route = Route(.post, "/a", bodyLimit: 10) { .text(String(try await $0.body.collect(upTo: .max).count)) }
        try await withServer([route]) { server in
            let answers = try await server.answers(
                to: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\nabcde\r\n")

            #expect(answers.map(\.status) == [413])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `an upload that is refused while it comes gets its answer, not a reset`() async throws {
        let route = Route(.post, "/a", bodyLimit: 1 << 40) { _ in HTTPResponse(.forbidden) }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 50000000\r\n\r\n")
            try await client.send([UInt8](repeating: 0, count: 1_000_000))

            let answers = try await client.answers()

            #expect(answers.map(\.status) == [403])
            #expect(answers[0]["Connection"] == "close")
        }
    }

    @Test func `a small body that nobody reads is skipped and the connection goes on`() async throws {
        try await withServer([Route(.post, "/a") { _ in .noContent }]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
            #expect(try await client.response().status == 204)

            try await client.send([UInt8](repeating: 0, count: 100_000))
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(try await client.response().status == 204)

            try await client.send("3\r\nabc\r\n0\r\n\r\n" + "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            #expect(try await client.answers().map(\.status) == [204])
        }
    }

    @Test func `a broken body that nobody reads ends the connection`() async throws {
        try await withServer([Route(.post, "/a") { _ in .noContent }]) { server in
            let answers = try await server.answers(
                to: "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n" + lastGet("/b"))

            #expect(answers.map(\.status) == [204])
        }
    }

    @Test(arguments: [true, false])
    func `a client that goes away in the middle of a body is noticed`(byReset: Bool) async throws {
        let began = Signal()
        let ended = Signal()
        let error = Box<BodyError?>(nil)
        let route = Route(.post, "/a") { request in
            defer { ended.fire() }
            do {
                while try await request.body.next() != nil { began.fire() }
            } catch let failure as BodyError {
                error.update { $0 = failure }
                throw failure
            }
            return .noContent
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
            await began.wait()

            if byReset { client.reset() } else { client.close() }
            await ended.wait()

            #expect(error.value == .incomplete)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a client that is found gone when it is told to go on leaves no reader behind`() async throws {
        let client = Box<Client?>(nil)
        let ended = Signal()
        let error = Box<BodyError?>(nil)
        let route = Route(.post, "/a") { request in
            defer { ended.fire() }
            // The loop, which runs this, learns of it from nothing but its own "100 Continue".
            client.value?.reset()
            do { _ = try await request.body.next() } catch let failure as BodyError { error.update { $0 = failure } }
            return .noContent
        }
        try await withServer([route]) { server in
            let sender = try server.client()
            client.update { $0 = sender }
            try await sender.send(
                "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
            await ended.wait()

            #expect(error.value == .incomplete)
        }
    }

    @Test func `a client that ends its side in the middle of a body is told`() async throws {
        let route = Route(.post, "/a") { .text(String(try await $0.body.collect(upTo: 100).count)) }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")

            client.endWriting()

            #expect(try await client.answers().map(\.status) == [400])
        }
    }

    @Test func `a slow reader of a body stops the client`() async throws {
        let go = Signal()
        let route = Route(.post, "/a", bodyLimit: 1 << 30) { request in
            _ = try await request.body.next()
            await go.wait()
            var count = 0
            while let piece = try await request.body.next() { count += piece.count }
            return .text("\(count)")
        }
        let probe = Route(.get, "/probe") { _ in .noContent }
        try await withServer([route, probe]) { server in
            let client = try server.client()
            try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n")
            let sent = Box(0)
            async let sending: Void = {
                for _ in 0..<60 {
                    try await client.send([UInt8](repeating: 7, count: 1_000_000))
                    sent.update { $0 += 1 }
                }
            }()
            for _ in 0..<50 { _ = try await server.answers(to: lastGet("/probe")) }

            // The kernel's buffers hold some megabytes; the handler has taken one piece.
            #expect(sent.value < 30)
            go.fire()
            try await sending
            #expect(Int(try await client.response().body) ?? 0 > 59_000_000)
        }
    }

    @Test func `a body may be read while its answer is written`() async throws {
        let route = Route(.post, "/echo") { request in
            HTTPResponse(
                .ok,
                body: .stream { writer in
                    while let piece = try await request.body.next() { try await writer.write(piece) }
                })
        }
        try await withServer([route]) { server in
            let client = try server.client()
            try await client.send(
                "POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            try await client.receive(until: "\r\n\r\n3\r\nabc\r\n")
            try await client.send("2\r\nde\r\n0\r\n\r\n")

            #expect(String(decoding: try await client.rest(), as: UTF8.self) == "2\r\nde\r\n0\r\n\r\n")
        }
    }

    @Test func `a task that reads a body can be cancelled`() async throws {
        let reading = Signal()
        let route = Route(.post, "/a") { request in
            let reader = Task {
                reading.fire()
                return try await request.body.collect(upTo: 1 << 20)
            }
            await reading.wait()
            reader.cancel()
            do {
                _ = try await reader.value
                return .noContent
            } catch {
                return .text("\(error)", status: .conflict)
            }
        }
        try await withServer([route]) { server in
            let answers = try await server.answers(
                to: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\nabc")

            #expect(answers.map(\.status) == [409])
            #expect(answers[0].body == "reading the body was cancelled")
        }
    }
}
