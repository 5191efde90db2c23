import Blobs
import Crypto
import Domain
import Foundation
import Jobs
import Submitters
internal import TestTools
import Testing

/// Jobs whose photo's file is not what was stored.
@Suite(.timeLimit(.minutes(5)))
struct FileFaultTests {
    private static let content = Array("moving pictures".utf8)

    @Test(arguments: ["damaged", "missing"])
    func `a file with a fault is never posted, waits without blame, and goes when it is whole`(fault: String)
        async throws
    {
        let service = ScriptedSubmitter()
        let left = Box<[Data]>([])
        for _ in 0..<2 {
            service.play { task throws(SubmissionError) in
                let file = try await task.file()
                let content = await SharedParts.content(of: file.path)
                left.update { $0.append(content ?? Data()) }
                return ScriptedSubmitter.receipt(task.submission)
            }
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            let digest = SHA256Digest(of: Self.content)
            if fault == "damaged" {
                try Data(Self.content.reversed()).write(to: URL(filePath: bench.context.blobs.path(of: digest)))
            } else {
                _ = try await bench.context.blobs.remove(digest)
            }
            let worker = bench.start()

            let waiting = try await bench.ended(id)
            #expect(waiting.state == .waiting)
            #expect(waiting.problem?.code.rawValue == "file_\(fault)")
            #expect(left.value.isEmpty)
            #expect(try await bench.value("SELECT failures::text FROM lanes") == "0")

            _ = try await bench.context.blobs.put(Self.content)
            try await bench.makeDue()
            await worker.wake()
            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(left.value == [Data(Self.content)])
            #expect(try await bench.attempts(id) == ["file_unavailable", "done"])
        }
    }
}
