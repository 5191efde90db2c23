import Crypto
import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct VisitorLikeTests {
    private func visitor(_ name: String) throws -> Visitor {
        try #require(Visitor(hash: SHA256Digest(of: name).bytes))
    }

    @Test func `visitors and users are counted together, each once`() async throws {
        try await withStore { bench in
            let photo = try await bench.post().photo
            let (first, second) = (try visitor("first"), try visitor("second"))
            _ = try await bench.store.setLike(true, on: photo, by: bench.owner.id)

            for _ in 0..<3 { try await bench.store.setLike(true, on: photo, by: first) }
            try await bench.store.setLike(true, on: photo, by: second)
            try await bench.store.setLike(false, on: photo, by: second)
            try await bench.store.setLike(false, on: photo, by: second)

            #expect(try await bench.store.photo(photo, viewer: bench.owner.id).photo.likeCount == 2)
            #expect(try await bench.store.likes(photo, by: first))
            #expect(try await !bench.store.likes(photo, by: second))
        }
    }

    @Test func `a private photo has no visitors`() async throws {
        try await withStore { bench in
            let photo = try await bench.post().photo
            try await bench.database.execute(
                Query<Void>("make_private", "UPDATE photos SET visibility = 'private' WHERE id = $1", [photo.uuid]))

            try await bench.store.setLike(true, on: photo, by: try visitor("first"))

            #expect(try await bench.store.photo(photo, viewer: bench.owner.id).photo.likeCount == 0)
        }
    }
}
