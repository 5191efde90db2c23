import Postgres

/// The outcome of an attempt to take a token out of a bucket of `shared_limits`.
package struct SharedLimitAnswer: Sendable, Equatable {
    package let isGranted: Bool
    /// Until the bucket was full, before anything was taken; zero or less where it was.
    package let secondsUntilFull: Double
}

extension Query where Row == SharedLimitAnswer {
    fileprivate static func take(_ key: [UInt8], tokenTime: Double, quota: Int) -> Self {
        Query(
            "take_shared_limit",
            """
            WITH taken AS (
                INSERT INTO shared_limits AS l (key, full_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
                ON CONFLICT (key) DO UPDATE
                   SET full_at = greatest(l.full_at, clock_timestamp()) + make_interval(secs => $2)
                 WHERE greatest(l.full_at, clock_timestamp()) + make_interval(secs => $2)
                       <= clock_timestamp() + make_interval(secs => $2) * $3::int
                RETURNING 1)
            SELECT EXISTS (SELECT FROM taken) AS granted,
                   coalesce((SELECT extract(epoch FROM full_at - clock_timestamp()) FROM shared_limits WHERE key = $1), 0)::float8
                   AS left
            """, [key, tokenTime, Int32(clamping: quota)]
        ) { row throws(PostgresError) in
            SharedLimitAnswer(isGranted: try row.get("granted"), secondsUntilFull: try row.get("left"))
        }
    }
}

extension Query where Row == Void {
    fileprivate static func giveBack(_ key: [UInt8], tokenTime: Double) -> Self {
        Query(
            "give_back_shared_limit",
            "UPDATE shared_limits SET full_at = full_at - make_interval(secs => $2) WHERE key = $1", [key, tokenTime])
    }

    fileprivate static func pruneFull() -> Self {
        Query("prune_shared_limits", "DELETE FROM shared_limits WHERE full_at < now()")
    }
}

extension PicsStore {
    /// Takes a token out of the bucket `key`, if there is one.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - tokenTime: The seconds that bring one token back.
    ///   - quota: The tokens of a full bucket.
    /// - Returns: Whether there was one.
    /// - Throws: `StoreError`.
    package func takeShared(
        _ key: [UInt8], tokenTime: Double, quota: Int
    ) async throws(StoreError) -> SharedLimitAnswer {
        try await one(.take(key, tokenTime: tokenTime, quota: quota))
    }

    /// Gives a token back that was taken for nothing.
    package func giveBackShared(_ key: [UInt8], tokenTime: Double) async throws(StoreError) {
        try await execute(.giveBack(key, tokenTime: tokenTime))
    }

    /// Forgets full buckets.
    package func pruneSharedLimits() async throws(StoreError) { try await execute(.pruneFull()) }
}
