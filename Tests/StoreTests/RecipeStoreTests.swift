import Domain
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecipeStoreTests {
    private static let sepia: Recipe = {
        var recipe = Recipe()
        recipe.filter = .sepia(intensity: 0.8)
        recipe.crop = RecipeCrop(x: 0.1, y: 0.25, width: 0.5, height: 0.75)
        return recipe
    }()

    private func edit(_ recipe: RecipeChange) -> PhotoEdit {
        PhotoEdit(caption: nil, altText: nil, visibility: nil, recipe: recipe)
    }

    @Test func `a recipe is kept by other edits, changed by its own and taken away`() async throws {
        try await withStore { bench in
            let photo = try await bench.post().photo
            func recipe() async throws -> Recipe? {
                try await bench.store.photo(photo, viewer: bench.owner.id).photo.recipe
            }

            #expect(try await recipe() == nil)
            try await bench.store.edit(
                photo, owner: bench.owner.id, version: 1, edit: edit(.set(Self.sepia)), texts: [])
            #expect(try await recipe() == Self.sepia)
            #expect(try await recipe()?.digest == Self.sepia.digest)
            try await bench.store.edit(photo, owner: bench.owner.id, version: 2, edit: edit(.keep), texts: [])
            #expect(try await recipe() == Self.sepia)
            try await bench.store.edit(photo, owner: bench.owner.id, version: 3, edit: edit(.set(nil)), texts: [])
            #expect(try await recipe() == nil)
        }
    }

    @Test func `a new photo keeps its recipe and its sources in their order`() async throws {
        try await withStore { bench in
            let sources = [PhotoID.make(), .make(), .make()].shuffled()
            let sample = NewPhoto.sample(of: bench.owner.id)
            let photo = NewPhoto(
                id: sample.id, owner: sample.owner, code: sample.code, blob: sample.blob, bytes: sample.bytes,
                mediaType: sample.mediaType, kind: .photo, width: 40, height: 30, takenAt: nil, position: nil,
                exif: "{}", caption: "", altText: "", visibility: .public, recipe: Self.sepia, sources: sources)

            try await bench.store.create(photo, submissions: [])

            let stored = try await bench.store.photo(photo.id, viewer: bench.owner.id).photo
            #expect(stored.recipe == Self.sepia)
            #expect(stored.sources == sources)
        }
    }

    @Test func `pictures of a recipe are forgotten when no photo of the file has it any more`() async throws {
        try await withStore { bench in
            let first = NewPhoto.sample(of: bench.owner.id)
            let second = NewPhoto.sample(of: bench.owner.id, blob: first.blob)
            for photo in [first, second] {
                try await bench.store.create(photo, submissions: [])
                try await bench.store.edit(
                    photo.id, owner: bench.owner.id, version: 1, edit: edit(.set(Self.sepia)), texts: [])
            }
            let names = [nil, Self.sepia].map { StoredPicture(.small, .webp, recipe: $0).name }
            for name in names {
                let record = RenditionRecord(
                    name: name, blob: .random(), mediaType: "image/webp", bytes: 10, width: 4, height: 3)
                try await bench.store.addRendition(record, of: first.blob)
            }
            func known() async throws -> [Bool] {
                var known: [Bool] = []
                for name in names { known.append(try await bench.store.rendition(name, of: first.blob) != nil) }
                return known
            }

            try await bench.store.edit(first.id, owner: bench.owner.id, version: 2, edit: edit(.set(nil)), texts: [])
            try await bench.store.deleteRenditionsOf(of: first.blob, madeWith: Self.sepia)
            #expect(try await known() == [true, true])
            try await bench.store.edit(second.id, owner: bench.owner.id, version: 2, edit: edit(.set(nil)), texts: [])
            try await bench.store.deleteRenditionsOf(of: first.blob, madeWith: Self.sepia)
            #expect(try await known() == [true, false])
        }
    }
}
