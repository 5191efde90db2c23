package import Domain
internal import Postgres

extension PicsStore {
    /// How many photos or likes go in one step.
    private static let stepLength = 100

    /// Begins the end of a user's account: from now on nobody is in as this user, and nothing of theirs is shown.
    ///
    /// Admins are told apart one after the other: of two who end each other's accounts at once, one stays.
    ///
    /// - Returns: False when they are the last admin, or are gone already; then nothing is changed.
    package func beginUserDeletion(_ user: UserID) async throws(StoreError) -> Bool {
        // The line has the name that the user's row has from now on.
        try await first(.beginUserDeletion(user), audited: { $0 ? AuditEntry(.userDeleted, to: user) : nil }) ?? false
    }

    /// Users who have left, and of whom something is still there.
    package func usersBeingDeleted() async throws(StoreError) -> [UserID] { try await rows(.usersBeingDeleted()) }

    /// Deletes some photos of a user's, each as its owner would; how many.
    package func deleteSomePhotos(of user: UserID) async throws(StoreError) -> Int {
        let photos = try await rows(.somePhotos(of: user, limit: Self.stepLength))
        for photo in photos {
            do {
                try await deletePhoto(photo, owner: user)
            } catch {
                // Another process was faster.
                guard error == .notFound else { throw error }
            }
        }
        return photos.count
    }

    /// Takes back some likes of a user's; how many.
    package func deleteSomeLikes(of user: UserID) async throws(StoreError) -> Int {
        Int(try await one(.deleteLikes(of: user, limit: Self.stepLength)))
    }

    /// Marks that nothing of a user is left.
    package func finishUserDeletion(_ user: UserID) async throws(StoreError) {
        try await execute(.finishUserDeletion(user))
    }
}

extension Query where Row == Bool {
    fileprivate static func beginUserDeletion(_ user: UserID) -> Self {
        Query("leave", "SELECT leave($1) AS has_left", [user.uuid]) {
            row throws(PostgresError) in try row.get("has_left")
        }
    }
}

extension Query where Row == UserID {
    fileprivate static func usersBeingDeleted() -> Self {
        Query(
            "leaving_users",
            "SELECT id FROM users WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL ORDER BY deleted_at LIMIT 100"
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == PhotoID {
    static func somePhotos(of user: UserID, limit: Int) -> Self {
        Query(
            "some_photos",
            """
            SELECT id FROM photos WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT $2::int
            """, [user.uuid, limit]
        ) { row throws(PostgresError) in try row.id("id") }
    }
}

extension Query where Row == Int32 {
    static func deleteLikes(of user: UserID, limit: Int) -> Self {
        Query("forget_likes", "SELECT forget_likes($1, $2::int) AS likes", [user.uuid, limit]) {
            row throws(PostgresError) in try row.get("likes")
        }
    }
}

extension Query where Row == Void {
    fileprivate static func finishUserDeletion(_ user: UserID) -> Self {
        Query("forget_user", "SELECT forget_user($1)", [user.uuid])
    }
}
