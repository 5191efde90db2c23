internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import Store
internal import System

/// What the head of a gallery says of it.
struct GalleryFacts: Sendable {
    let counts: GalleryCounts
    /// The most used hashtags, without their signs, the most used one first.
    let tags: [String]

    private static let mostTags = 12
    /// Of captions together that are searched for hashtags, in UTF-8 bytes.
    private static let searchedBytes = 128 << 10

    init(_ counts: GalleryCounts, captions: [String]) {
        self.counts = counts
        var rest = Self.searchedBytes
        var uses: [String: (tag: String, count: Int, place: Int)] = [:]
        for caption in captions {
            rest -= caption.utf8.count
            guard rest >= 0 else { break }
            let text = caption.composed
            // A hashtag counts once for each photo.
            let tags = Set(
                CaptionEntity.find(in: text).filter { $0.kind == .hashtag }.map { String(text[$0.range].dropFirst()) })
            for tag in tags {
                let place = uses.count
                uses[tag.lowercased(), default: (tag, 0, place)].count += 1
            }
        }
        tags = uses.values.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.prefix(Self.mostTags).map(\.tag)
    }
}

/// The facts of galleries, each for some seconds and until something of it changes: they cost more than the page.
final class GalleryFactsCache: Sendable {
    private struct Entry {
        let facts: GalleryFacts
        let changedAt: Date?
        let read: Moment
    }

    private let entries = Lock<[UserID: Entry]>([:])
    private static let age = Duration.seconds(10)
    private static let most = 1000

    /// Those of a gallery as it is now.
    func facts(of gallery: Gallery, in store: PicsStore) async throws(StoreError) -> GalleryFacts {
        let now = Moment.now
        let known = entries.withLock { $0[gallery.owner] }
        if let known, known.changedAt == gallery.changedAt, now - known.read < Self.age { return known.facts }
        let (counts, captions) = try await store.galleryFacts(of: gallery)
        let facts = GalleryFacts(counts, captions: captions)
        entries.withLock { entries in
            if entries.count >= Self.most { entries = [:] }
            entries[gallery.owner] = Entry(facts: facts, changedAt: gallery.changedAt, read: now)
        }
        return facts
    }
}
