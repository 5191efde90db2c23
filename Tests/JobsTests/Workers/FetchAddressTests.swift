internal import Blobs
internal import Crypto
internal import Domain
internal import Foundation
internal import HTTP
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// Addresses of ours from which a service fetches the files of a post.
@Suite(.timeLimit(.minutes(5)))
struct FetchAddressTests {
    /// The hash of the token in an address.
    private static func hash(_ address: String) -> [UInt8] {
        let name = address.split(separator: "/").last ?? ""
        return SHA256Digest(of: String(name.prefix { $0 != "." })).bytes
    }

    @Test func `a service fetches the copy that it would be sent, at one address an attempt, until the post is there`()
        async throws
    {
        let service = ScriptedSubmitter()
        let told = Box<[String]>([])
        let (asked, mayEnd) = (Signal(), Signal())
        service.play { task throws(SubmissionError) in
            let addresses = [try await task.address(), try await task.address()]
            told.update { $0 = addresses }
            asked.fire()
            await mayEnd.wait()
            return try await ScriptedSubmitter.publish(task)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            await asked.wait()

            let address = try #require(told.value.first)
            #expect(told.value == [address, address])
            #expect(address.hasPrefix("https://pics.test/outgoing/") && address.hasSuffix(".mp4"))
            let file = try await bench.store.fetchableFile(Self.hash(address))
            #expect(file.mediaType == "video/mp4")
            #expect(
                await SharedParts.content(of: bench.context.blobs.path(of: file.blob.digest))
                    == Data("moving pictures".utf8))

            mayEnd.fire()
            #expect(try await bench.ended(id).state == .done)
            await #expect(throws: StoreError.notFound) { try await bench.store.fetchableFile(Self.hash(address)) }
        }
    }

    @Test func `a Pics whose address is not known gives none`() async throws {
        let service = ScriptedSubmitter()
        service.play { task throws(SubmissionError) in
            _ = try await task.address()
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service, base: "") { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            let end = try await bench.ended(id)
            #expect(end.state == .rejected && end.problem?.code == .fileNotFetched)
        }
    }
}
