import HTTP
import Testing

@testable import HTTPServer

struct RequestParserTests {
    /// The result of parsing a message.
    private enum Outcome: Equatable {
        case head(RequestLayoutSummary)
        case fault(RequestFault)
        case incomplete
    }

    private struct RequestLayoutSummary: Equatable {
        let start: Int
        let length: Int
        let method: String
        let target: String
        let fieldCount: Int
        let framing: RequestLayout.Framing
        let persists: Bool
    }

    @Test(arguments: Row.all)
    func `a head is understood alike in one piece and byte by byte`(row: Row) {
        #expect(outcome(row.message, step: 1) == outcome(row.message, step: row.message.count))
    }

    @Test(arguments: [2, 3, 7, 16])
    func `a head is understood alike in pieces of any size`(step: Int) {
        for row in Row.all where row.message.count < 1_000 {
            #expect(outcome(row.message, step: step) == outcome(row.message, step: row.message.count), "\(row.name)")
        }
    }

    @Test func `a head that is not complete is no fault`() {
        let whole = Array("GET /a HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n".utf8)

        for count in 0..<whole.count { #expect(outcome(Array(whole.prefix(count)), step: 1) == .incomplete) }
    }

    @Test func `a head knows its parts`() throws {
        let bytes = Array(
            "\r\nPUT http://h:1/a?b HTTP/1.1\r\nHost: i\r\nx-request-ID: id-1\r\nContent-Length: 12\r\n\r\n".utf8)
        var parser = RequestParser()

        let layout = try #require(try parser.parse(bytes.span, .init()))
        let head = RequestHead(copying: bytes.span, layout)

        #expect(head.method == .put)
        #expect(head.text(head.layout.target) == "http://h:1/a?b")
        #expect(head.text(head.layout.host) == "i")
        #expect(head.sentID == "id-1")
        #expect(head.layout.framing == .sized(12))
        #expect(head.bytes == Array(bytes.dropFirst(2)))
    }

    private func outcome(_ message: [UInt8], step: Int) -> Outcome {
        var parser = RequestParser()
        do throws(RequestFault) {
            for end in stride(from: step, to: message.count + step, by: max(1, step)) {
                let bytes = message.span.extracting(..<min(end, message.count))
                guard let layout = try parser.parse(bytes, .init()) else { continue }
                let head = RequestHead(copying: bytes, layout)
                return .head(
                    RequestLayoutSummary(
                        start: layout.start, length: layout.length, method: head.method.rawValue,
                        target: head.text(head.layout.target), fieldCount: layout.fieldCount, framing: layout.framing,
                        persists: layout.persists))
            }
            return .incomplete
        } catch {
            return .fault(error)
        }
    }
}

struct ChunkedDecoderTests {
    @Test(arguments: 1...12)
    func `a chunked body is understood alike in pieces of any size`(step: Int) throws {
        let coded = Array("5;a=b\r\nHello\r\n2\r\n, \r\n6\r\nWorld!\r\n0\r\nA: b\r\n\r\nGET".utf8)
        var decoder = ChunkedDecoder()
        var data: [UInt8] = []
        var end: Int?

        for start in stride(from: 0, to: coded.count, by: step) where end == nil {
            let piece = coded.span.extracting(..<min(start + step, coded.count))
            var index = start
            reading: while true {
                switch try decoder.next(piece, from: index) {
                case .data(let range):
                    data += coded[range]
                    index = range.upperBound
                case .more: break reading
                case .end(let place):
                    end = place
                    break reading
                }
            }
        }

        #expect(data == Array("Hello, World!".utf8))
        #expect(end == coded.count - 3)
    }
}

struct RequestTargetTests {
    @Test(arguments: [
        ("/", "/"), ("/a", "/a"), ("/a?b", "/a"), ("/%61", "/a"), ("/a%20b", "/a b"), ("/%2561", "/%61"),
        ("/./a", "/a"),
        ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/a/b/..", "/a/"), ("/a/b/.", "/a/b/"), ("/../a", "/a"), ("/..", "/"),
        ("/a/%2e%2e/b", "/b"), ("/a//b", "/a//b"), ("//", "//"), ("/a/", "/a/"), ("/.a/..b", "/.a/..b"),
        ("/a%2Fb", "/a/b"),
        ("/%C3%A9", "/é"), ("http://h/x", "/x"), ("http://h", "/"), ("/a%2F%25", "/a/%"),
    ])
    func `a path is decoded once and has no dot segments`(target: String, path: String) throws {
        #expect(try resolve(target).shownPath == path)
    }

    @Test func `an encoded slash does not part segments`() throws {
        #expect(try resolve("/a%2Fb").path != "/a/b")
    }

    private func resolve(_ target: String) throws -> RequestTarget {
        let bytes = Array(target.utf8)
        return try RequestTarget(bytes.span, bytes.indices, isOptions: false)
    }
}
