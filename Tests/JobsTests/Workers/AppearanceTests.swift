internal import Domain
internal import HTTP
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// A picture that looks otherwise by now is not published as it was.
@Suite(.timeLimit(.minutes(5)))
struct AppearanceTests {
    /// Uploads, waits, and publishes.
    private static func slow(_ uploaded: Signal, _ edited: Signal) -> ScriptedSubmitter.Step {
        { task throws(SubmissionError) in
            try await task.journal.record("upload", "old")
            uploaded.fire()
            await edited.wait()
            return try await ScriptedSubmitter.publish(task)
        }
    }

    @Test func `a photo that is edited after its upload is brought anew before it is published`() async throws {
        let service = ScriptedSubmitter()
        let (uploaded, edited) = (Signal(), Signal())
        let known = Box<[JSONValue?]>([])
        service.play(Self.slow(uploaded, edited))
        service.play { task throws(SubmissionError) in
            let upload = await task.journal.value("upload")
            known.update { $0.append(upload) }
            try await task.journal.record("upload", "new")
            return try await ScriptedSubmitter.publish(task)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            let worker = bench.start()
            await uploaded.wait()

            try await bench.makeSquare(id)
            edited.fire()
            await bench.log.wait(for: "submission given back", id.description)
            let waiting = try await bench.submission(id)
            try await bench.makeDue()
            await worker.wake()

            #expect(waiting.state == .waiting && waiting.attempts == 0)
            #expect(try await bench.ended(id).state == .done)
            #expect(known.value == [nil], "nothing of the old upload is left")
        }
    }

    @Test func `a picture that was brought before an edit is not published by a later try`() async throws {
        let service = ScriptedSubmitter()
        let known = Box<[JSONValue?]>([])
        service.play { task throws(SubmissionError) in
            try await task.journal.record("upload", "old")
            throw .temporary(.other("The service is down."))
        }
        for _ in 0..<2 {
            service.play { task throws(SubmissionError) in
                let upload = await task.journal.value("upload")
                known.update { $0.append(upload) }
                return try await ScriptedSubmitter.publish(task)
            }
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            let worker = bench.start()
            try await bench.ended(id)

            try await bench.makeSquare(id)
            try await bench.makeDue()
            await worker.wake()
            await bench.log.wait(for: "submission given back", id.description)
            try await bench.makeDue()
            await worker.wake()

            #expect(try await bench.ended(id, tries: 2).state == .done)
            #expect(known.value == ["old", nil])
        }
    }

    @Test func `what may be out as it was is for a person to look at`() async throws {
        let service = ScriptedSubmitter()
        service.loseAnswer()
        service.tell(.repeatable)
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect(), kind: .photo)
            let worker = bench.start()
            try await bench.ended(id)

            try await bench.makeSquare(id)
            try await bench.makeDue()
            await worker.wake()

            let submission = try await bench.ended(id, tries: 2)
            #expect(submission.state == .unknown)
            #expect(submission.problem == .outcomeUnknown(.photoChanged))
        }
    }
}

extension Bench {
    func makeSquare(_ id: SubmissionID) async throws {
        let photo = try await store.photo(try await submission(id).photo, viewer: owner.id).photo
        var recipe = Recipe()
        recipe.square = true
        try await store.edit(
            photo.id, owner: owner.id, version: photo.version,
            edit: PhotoEdit(caption: nil, altText: nil, visibility: nil, recipe: .set(recipe)), texts: [])
    }
}
