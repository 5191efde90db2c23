package import Domain
package import FoundationEssentials
internal import Postgres

extension PicsStore {
    /// The sealed key of this installation; nil when none was made.
    package func pushKey() async throws(StoreError) -> [UInt8]? { try await first(.pushKey()) }

    /// Keeps a new sealed key, in place of `former`, or where there is none.
    ///
    /// - Returns: The one that the database has now.
    package func putPushKey(_ sealed: [UInt8], replacing former: [UInt8]?) async throws(StoreError) -> [UInt8] {
        try await execute(.putPushKey(sealed, replacing: former ?? []))
        guard let kept = try await pushKey() else { throw .unavailable }
        return kept
    }

    // MARK: Browsers

    /// Keeps a browser that is told from now on. One of the same session or endpoint is replaced, and what it was told of stays chosen.
    ///
    /// - Returns: False when its owner has as many as a user may have.
    /// - Throws: `.conflict` of `push_subscriptions_endpoint_key` when the endpoint is another browser's; of the other keys when another
    ///   was made at the same moment.
    package func addPushSubscription(_ new: NewPushSubscription) async throws(StoreError) -> Bool {
        try await mappingErrors { () async throws(PostgresError) in
            try await database.transaction { transaction throws(PostgresError) in
                let former = try await transaction.run(.deleteFormerSubscription(new))
                let kinds = former.first ?? Set(PushKind.allCases)
                return try await !transaction.run(.insertPushSubscription(new, kinds: kinds)).isEmpty
            }
        }
    }

    /// A user's browsers, oldest first.
    package func pushSubscriptions(of owner: UserID) async throws(StoreError) -> [PushSubscription] {
        try await rows(.pushSubscriptions(of: owner))
    }

    /// Chooses what a browser is told of.
    package func choosePushKinds(
        _ kinds: Set<PushKind>, of id: PushSubscriptionID, owner: UserID
    ) async throws(StoreError) {
        guard try await execute(.choosePushKinds(kinds, of: id, owner: owner)) == 1 else { throw .notFound }
    }

    /// Forgets a browser.
    package func deletePushSubscription(_ id: PushSubscriptionID, owner: UserID) async throws(StoreError) {
        guard try await execute(.deletePushSubscription(id, owner: owner)) == 1 else { throw .notFound }
    }

    /// Forgets the browser of a session, if it is known.
    package func deletePushSubscription(of session: SessionID) async throws(StoreError) {
        try await execute(.deletePushSubscription(of: session))
    }

    /// What is needed to send to a browser of the owner's.
    package func pushTarget(_ id: PushSubscriptionID, owner: UserID) async throws(StoreError) -> PushTarget {
        guard let target = try await first(.pushTarget(id, owner: owner)) else { throw .notFound }
        return target
    }

    // MARK: Sending

    /// Takes up to `limit` browsers for which something is due; each is this process's for the time of `lease`.
    package func claimPushes(limit: Int, lease: Duration) async throws(StoreError) -> [PushTurn] {
        try await rows(.claimPushes(limit: limit, lease: lease))
    }

    /// What is due for a browser, oldest first; what has waited longer than `age` is forgotten.
    package func pushMessages(
        for turn: PushTurn, age: Duration, limit: Int = 500
    ) async throws(StoreError) -> [PushMessage] {
        try await execute(.deleteOldPushMessages(of: turn.target.id, age: age))
        return try await rows(.pushMessages(for: turn.target.id, limit: limit))
    }

    /// Those of the submissions that are still refused or unknown, of photos that are still there, with their photos.
    package func troubledSubmissions(
        _ ids: [UUID], of owner: UserID
    ) async throws(StoreError) -> [(submission: Submission, photo: Photo)] {
        guard !ids.isEmpty else { return [] }
        let submissions = try await rows(.troubled(ids, of: owner))
        let photos = try await photos(Set(submissions.map(\.photo)), of: owner)
        return submissions.compactMap { submission in photos[submission.photo].map { (submission, $0) } }
    }

    /// The owner's photos with these identifiers, as far as they are still there.
    package func likedPhotos(_ ids: [UUID], of owner: UserID) async throws(StoreError) -> [LikedPhoto] {
        ids.isEmpty ? [] : try await rows(.likedPhotos(ids, of: owner))
    }

    /// The messages were told, or there is nothing to tell of them any more; the lease begins anew.
    ///
    /// - Returns: Whether to go on: false when the turn was lost.
    package func acknowledge(
        _ turn: PushTurn, _ messages: [PushMessage], wasSent: Bool, lease: Duration
    ) async throws(StoreError) -> Bool {
        try await execute(.acknowledgePushes(turn, messages, wasSent: wasSent, lease: lease)) == 1
    }

    /// A message was not taken: it is tried again after `delay`, unless it has failed so often or so long.
    ///
    /// - Returns: Whether the subscription was given up.
    package func fail(
        _ turn: PushTurn, _ problem: PushProblem, after delay: Duration, bound: Int, timeout: Duration
    ) async throws(StoreError) -> Bool {
        try await first(.failPush(turn, problem, after: delay, bound: bound, timeout: timeout)) ?? false
    }

    /// Lets others send to a browser again, after `pause`.
    package func end(_ turn: PushTurn, pause: Duration) async throws(StoreError) {
        try await execute(.endPushTurn(turn, pause: pause))
    }

    /// Forgets a browser that its push service does not know any more.
    package func drop(_ turn: PushTurn) async throws(StoreError) { try await execute(.dropPushSubscription(turn)) }
}
