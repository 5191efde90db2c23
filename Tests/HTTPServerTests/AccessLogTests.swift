import EventLoops
import Foundation
import System
import Testing

@testable import HTTPServer
@testable import Logging

/// Keeps what was written in one piece.
private final class PieceSink: LogSink {
    private let written = Lock<[String]>([])
    var pieces: [String] { written.withLock(\.self) }
    func write(_ lines: [UInt8]) { written.withLock { $0.append(String(decoding: lines, as: UTF8.self)) } }
}

struct AccessLogTests {
    @Test func `the lines of requests that end together are written together, whole, as many as a pipe takes`()
        async throws
    {
        let loop = try EventLoop(name: "log")
        defer { loop.stop() }
        let sink = PieceSink()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                let log = AccessLog(Logger(sink: sink), on: loop)
                for number in 0..<100 {
                    log.add { line in
                        line.add("number", Int64(number))
                        line.add("path", String(repeating: "x", count: 90))
                    }
                }
                loop.execute { continuation.resume() }
            }
        }
        let pieces = sink.pieces
        #expect(pieces.count == 4)
        #expect(pieces.allSatisfy { $0.utf8.count <= LogLine.limit && $0.hasSuffix("\n") })
        let numbers = pieces.joined().split(separator: "\n").compactMap { $0.firstMatch(of: #/number=(\d+) /#)?.1 }
        #expect(numbers == (0..<100).map { Substring(String($0)) })
    }
}
