internal import Domain
internal import HTTP
package import Logging
package import Store

/// Reads the pictures of people who have responded, and keeps small ones: soon after they are seen, and when they have another. A
/// reader's browser asks no other server for them.
package struct AuthorPictures: Sendable {
    private let store: PicsStore
    private let maker: SmallPictures
    private let logger: Logger

    /// Pictures that are worked on at once, and so often in one go.
    private static let (batch, batches) = (8, 10)

    package init(store: PicsStore, maker: SmallPictures, logger: Logger) {
        (self.store, self.maker, self.logger) = (store, maker, logger)
    }

    /// Reads the pictures that are due, of at most 80 people.
    ///
    /// - Returns: How many have one now.
    @discardableResult
    package func readDue() async throws(StoreError) -> Int {
        var count = 0
        for _ in 0..<Self.batches {
            let due = try await store.claimAuthorPictures(limit: Self.batch)
            count += await withTaskGroup(of: Bool.self) { group in
                for author in due { group.addTask { await read(author) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            if due.count < Self.batch { break }
        }
        return count
    }

    /// Reads one. What may go another time is left to the next claim.
    private func read(_ due: DueAuthorPicture) async -> Bool {
        do {
            var picture: [UInt8]?
            do { picture = try await maker.picture(at: due.url, for: due.owner) } catch let error as UnusablePicture {
                note(error, of: due)
            }
            try await store.keepPicture(picture, of: due)
            return picture != nil
        } catch {
            note(error, of: due)
            return false
        }
    }

    private func note(_ error: any Error, of due: DueAuthorPicture) {
        logger.info("no picture of an author", ["author": due.author, "error": logText(of: error)])
    }
}
