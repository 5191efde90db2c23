import Domain
import Foundation
import Postgres
import Store
import Testing

/// The state of the pictures that are made ahead.
@Suite(.timeLimit(.minutes(5)))
struct ProcessingTests {
    private static let sepia: Recipe = {
        var recipe = Recipe()
        recipe.filter = .sepia(intensity: 0.8)
        return recipe
    }()

    @Test func `a photo is done once all pictures are there that are made ahead, and so are others of its file`()
        async throws
    {
        try await withStore { bench in
            let photo = NewPhoto.sample(of: bench.owner.id)
            let twin = NewPhoto.sample(of: bench.owner.id, blob: photo.blob)
            let edited = NewPhoto.sample(of: bench.owner.id, blob: photo.blob)
            for photo in [photo, twin, edited] { try await bench.post(as: photo) }
            try await bench.edit(edited.id, .set(Self.sepia), version: 1)
            let source = PictureSource(blob: photo.blob, recipe: nil)

            for picture in StoredPicture.early(recipe: nil) {
                #expect(try await bench.processing(photo.id) == .pending)
                try await bench.make(picture, of: photo.blob)
                try await bench.store.settlePictures(of: source)
            }

            #expect(try await bench.processing(photo.id) == .done)
            #expect(try await bench.processing(twin.id) == .done)
            #expect(try await bench.processing(edited.id) == .pending)
        }
    }

    @Test func `another recipe makes a photo wait again, and the same one does not`() async throws {
        try await withStore { bench in
            let photo = NewPhoto.sample(of: bench.owner.id)
            try await bench.post(as: photo)
            try await bench.makeAll(of: photo.blob)

            try await bench.edit(photo.id, .set(nil), version: 1)
            #expect(try await bench.processing(photo.id) == .done)
            try await bench.edit(photo.id, .keep, version: 2)
            #expect(try await bench.processing(photo.id) == .done)
            try await bench.edit(photo.id, .set(Self.sepia), version: 3)
            #expect(try await bench.processing(photo.id) == .pending)
        }
    }

    @Test func `a photo whose pictures cannot be made has failed, until they are made after all`() async throws {
        try await withStore { bench in
            let photo = NewPhoto.sample(of: bench.owner.id)
            try await bench.post(as: photo)
            let source = PictureSource(blob: photo.blob, recipe: nil)

            try await bench.store.refusePictures(of: source)
            #expect(try await bench.processing(photo.id) == .failed)
            try await bench.makeAll(of: photo.blob)
            #expect(try await bench.processing(photo.id) == .done)
            try await bench.store.refusePictures(of: source)
            #expect(try await bench.processing(photo.id) == .done)
        }
    }

    @Test func `photos that wait are found page by page, and deleted ones are not`() async throws {
        try await withStore { bench in
            let other = try await bench.store.addUser("bob")
            let photos = (0..<6).map { NewPhoto.sample(of: $0 < 3 ? bench.owner.id : other.id) }
            for photo in photos { try await bench.post(as: photo) }
            try await bench.makeAll(of: photos[0].blob)
            try await bench.store.deletePhoto(photos[1].id, owner: bench.owner.id)

            var found: [PendingPhoto] = []
            while let next = try await bench.store.pendingPhotos(after: found.last, limit: 1).first {
                found.append(next)
            }

            #expect(Set(found.map(\.id)) == Set(photos[2...].map(\.id)))
            #expect(found.allSatisfy { $0.source.recipe == nil })
            #expect(try await bench.store.pendingPhotos(of: bench.owner.id).map(\.id) == [photos[2].id])
        }
    }

    @Test func `who follows hears of each state, and of nobody else's photos`() async throws {
        try await withStore { bench in
            let other = try await bench.store.addUser("bob")
            let photo = NewPhoto.sample(of: bench.owner.id)
            try await bench.post(as: photo)
            try await bench.post(as: .sample(of: other.id))
            func changes(since: Date) async throws -> [PhotoID] {
                try await bench.store.changes(ChangeKey(owner: bench.owner.id, since: since)).photos.map(\.id)
            }

            #expect(try await changes(since: .distantPast) == [photo.id])
            let before = Date()
            #expect(try await changes(since: before) == [])
            try await bench.makeAll(of: photo.blob)
            #expect(try await changes(since: before) == [photo.id])
        }
    }
}

extension Bench {
    fileprivate func processing(_ photo: PhotoID) async throws -> Photo.Processing {
        try await store.photo(photo, viewer: owner.id).photo.processing
    }

    fileprivate func edit(_ photo: PhotoID, _ recipe: RecipeChange, version: Int) async throws {
        try await store.edit(
            photo, owner: owner.id, version: version,
            edit: PhotoEdit(caption: nil, altText: nil, visibility: nil, recipe: recipe), texts: [])
    }

    fileprivate func make(_ picture: StoredPicture, of source: BlobID) async throws {
        let record = RenditionRecord(
            name: picture.name, blob: .random(), mediaType: "image/jpeg", bytes: 9, width: 8, height: 6)
        try await store.addRendition(record, of: source)
    }

    fileprivate func makeAll(of source: BlobID) async throws {
        for picture in StoredPicture.early(recipe: nil) { try await make(picture, of: source) }
        try await store.settlePictures(of: PictureSource(blob: source, recipe: nil))
    }
}
