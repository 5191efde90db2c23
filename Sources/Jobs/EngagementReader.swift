package import Connecting
internal import Crypto
internal import Domain
internal import HTTP
internal import Logging
package import Store
internal import Submitters

/// Reads back how many people like what was posted, so that a page shows their number beside its own.
///
/// A post is asked for five minutes after it was made and then ever more seldom. One post after the other: nobody waits, and
/// the limits of accounts are for what they post.
package struct EngagementReader: Sendable {
    private let workshop: Workshop
    private let connecting: Connecting
    private let services: [String]
    private let age: Duration
    /// Posts that are looked at in one go.
    private static let batch = 20

    /// Takes what it works with. Likes are read back until a photo is of this `age` since it was sent, and 0 reads none; one
    /// that `pays` asks services too where a read costs money.
    package init(workshop: Workshop, connecting: Connecting, age: Duration, pays: Bool) {
        self.workshop = workshop
        self.connecting = connecting
        self.age = age
        services = workshop.registry.submitters.compactMap { submitter in
            guard let counting = submitter as? any EngagementSubmitter, pays || !counting.readsCost else { return nil }
            return counting.description.id
        }
    }

    /// Reads what is due, at most 20 posts.
    ///
    /// - Returns: How many posts were counted.
    @discardableResult
    package func read() async throws(StoreError) -> Int {
        guard age > .zero else { return 0 }
        var counted = 0
        for post in try await workshop.store.takePostsToCount(of: services, age: age, limit: Self.batch) {
            if await read(post) { counted += 1 }
        }
        return counted
    }

    /// A post that cannot be counted keeps the number it has, until its next time.
    private func read(_ post: PostToCount) async -> Bool {
        do {
            let likes = try await connecting.likes(
                of: post.remoteID, url: post.url, by: post.connection, owner: post.owner, now: workshop.now)
            guard let likes else { return false }
            try await workshop.store.countLikes(likes, of: post.submission)
            return true
        } catch {
            workshop.logger.info(
                "likes not read", ["submission": post.submission, "error": logText(of: error)])
            return false
        }
    }
}
