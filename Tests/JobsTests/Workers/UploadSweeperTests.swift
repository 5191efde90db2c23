import Blobs
import Domain
import Foundation
import Jobs
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UploadSweeperTests {
    private func add(
        _ bench: Bench, livingFor age: Duration, quota: UploadQuota = UploadQuota(count: 10, bytes: 100, longest: 10)
    ) async throws -> (id: UploadID, isTaken: Bool) {
        let upload = Upload(
            id: .make(), owner: bench.owner.id, protocol: .tus, part: .whole, state: .receiving, length: 10,
            checked: nil,
            metadata: "", concat: nil, mediaType: nil, fileName: nil, sha256: nil, draft: nil, problem: nil, photo: nil,
            createdAt: Date(), expiresAt: Date())
        return (upload.id, try await bench.store.add(upload, livingFor: age, quota: quota, response: nil))
    }

    @Test func `an upload goes with its file when its time is over, and not before`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let files = try UploadFiles(bench.context.blobs)
            let sweeper = UploadSweeper(store: bench.store, files: files, logger: bench.context.logger)
            let (old, _) = try await add(bench, livingFor: .seconds(-1))
            let (young, _) = try await add(bench, livingFor: .seconds(60))
            for id in [old, young] { try await files.create(id.uuid) }

            #expect(try await sweeper.sweep() == 1)

            #expect(try await files.bytes(of: old.uuid) == nil)
            #expect(try await files.bytes(of: young.uuid) == 0)
            await #expect(throws: StoreError.notFound) { try await bench.store.upload(old, owner: bench.owner.id) }
            #expect(try await bench.store.upload(young, owner: bench.owner.id).id == young)
        }
    }

    @Test func `a file that no upload knows goes when it is a day old`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let files = try UploadFiles(bench.context.blobs)
            let sweeper = UploadSweeper(store: bench.store, files: files, logger: bench.context.logger)
            let (known, _) = try await add(bench, livingFor: .seconds(100_000))
            let unknown = UUID()
            for id in [known.uuid, unknown] { try await files.create(id) }

            #expect(try await sweeper.sweep() == 0)
            #expect(try await sweeper.sweep(now: Date().addingTimeInterval(90_000)) == 1)

            #expect(try await files.bytes(of: unknown) == nil)
            #expect(try await files.bytes(of: known.uuid) == 0)
        }
    }

    @Test func `the quota counts uploads and their announced bytes`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            var taken: [Bool] = []
            for _ in 0..<3 {
                taken.append(
                    try await add(
                        bench, livingFor: .seconds(60), quota: UploadQuota(count: 10, bytes: 20, longest: 10)
                    ).isTaken)
            }
            #expect(taken == [true, true, false])
            let counted = try await add(
                bench, livingFor: .seconds(60), quota: UploadQuota(count: 2, bytes: 1000, longest: 10))
            #expect(!counted.isTaken)
        }
    }
}
