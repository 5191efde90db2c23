internal import Domain
internal import Foundation
internal import HTTP
internal import Store
internal import Submitters
internal import TestTools
internal import Testing

@testable import Jobs

/// A photo that its owner makes private goes nowhere any more.
@Suite(.timeLimit(.minutes(5)))
struct PrivatePhotoTests {
    @Test func `a photo that is made private while it waits goes nowhere`() async throws {
        let service = ScriptedSubmitter()
        try await withBench(service) { bench in
            let connection = try await bench.connect()
            let id = try await bench.submit(to: connection)

            try await bench.makePrivate(id)

            #expect(try await bench.state(id) == .cancelled)
            let next = try await bench.submit(to: connection)
            _ = bench.start()
            try await bench.ended(next)
            #expect(service.calls == [.submit(next)])
        }
    }

    @Test func `one that is made private between its upload and its publishing is not published`() async throws {
        let service = ScriptedSubmitter()
        let (uploaded, isPrivate) = (Signal(), Signal())
        let refusal = Box<[SubmissionError]>([])
        service.play { task throws(SubmissionError) in
            try await task.journal.record("upload", "1")
            uploaded.fire()
            await isPrivate.wait()
            if let error = await task.refusalToArm() {
                refusal.update { $0.append(error) }
                throw error
            }
            return ScriptedSubmitter.receipt(task.submission)
        }
        try await withBench(service) { bench in
            let id = try await bench.submit(to: try await bench.connect())
            _ = bench.start()
            await uploaded.wait()

            try await bench.makePrivate(id)
            isPrivate.fire()

            #expect(try await bench.ended(id).state == .cancelled)
            #expect(refusal.value == [.cancelled])
        }
    }

    @Test func `a photo is out before its post, whose readers follow the link`() async throws {
        let service = ScriptedSubmitter()
        let seen = Box<[Visibility]>([])
        let photos = Box<[PhotoID]>([])
        try await withBench(service) { bench in
            service.play { [store = bench.store, owner = bench.owner.id] task throws(SubmissionError) in
                let photo = try? await store.photo(photos.value[0], viewer: owner).photo
                seen.update { $0 += [task.photo.visibility, photo?.visibility].compactMap(\.self) }
                return ScriptedSubmitter.receipt(task.submission)
            }
            // Its owner has let the post go before the photo's time.
            let id = try await bench.submit(
                to: try await bench.connect(), publishAt: Date().addingTimeInterval(86_400))
            let photo = try await bench.submission(id).photo
            photos.update { $0 = [photo] }

            _ = bench.start()

            #expect(try await bench.ended(id).state == .done)
            #expect(seen.value == [.unlisted, .unlisted])
        }
    }
}

extension Bench {
    /// The owner makes the photo of a submission private.
    func makePrivate(_ id: SubmissionID) async throws {
        let photo = try await store.photo(try await submission(id).photo, viewer: owner.id).photo
        try await store.edit(
            photo.id, owner: owner.id, version: photo.version,
            edit: PhotoEdit(caption: nil, altText: nil, visibility: .private), texts: [])
    }
}
