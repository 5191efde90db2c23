import Foundation
import Testing

@testable import Logging

struct DescriptorSinkTests {
    @Test func `lines of many threads come out whole`() throws {
        let pipe = Pipe()
        let sink = DescriptorSink(pipe.fileHandleForWriting.fileDescriptor)

        DispatchQueue.concurrentPerform(iterations: 8) { writer in
            let line = Array((String(repeating: "\(writer)", count: 99) + "\n").utf8)
            for _ in 0..<50 { sink.write(line) }
        }
        try pipe.fileHandleForWriting.close()

        let lines = try #require(try pipe.fileHandleForReading.readToEnd()).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 400)
        #expect(lines.allSatisfy { $0.count == 99 && Set($0).count == 1 })
    }

    @Test func `a pipe without a reader costs lines, not the process`() throws {
        let pipe = Pipe()
        let sink = DescriptorSink(pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()

        sink.write(Array("lost\n".utf8))
    }

    @Test func `a full pipe costs lines, and the next reader is told`() throws {
        let pipe = Pipe()
        let sink = DescriptorSink(pipe.fileHandleForWriting.fileDescriptor)
        let line = Array((String(repeating: "x", count: 4095) + "\n").utf8)
        for _ in 0..<19 { sink.write(line) }  // a pipe holds 16 of them
        sink.write(Array("one\ntwo\n".utf8))

        let held = try #require(try pipe.fileHandleForReading.read(upToCount: 16 * 4096))
        sink.write(Array("after\n".utf8))
        try pipe.fileHandleForWriting.close()
        let rest = try #require(try pipe.fileHandleForReading.readToEnd())

        #expect(held == Data(Array(repeating: line, count: 16).joined()))
        #expect(
            String(decoding: rest, as: UTF8.self)
                == "5 lines of the log were dropped here because nobody read them\nafter\n")
    }
}
