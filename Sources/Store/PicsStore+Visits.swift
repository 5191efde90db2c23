package import Domain
internal import Postgres

extension PicsStore {
    /// For how many days visits are told apart; older ones are one sum.
    package static let visitDays = 400

    /// Adds visits that were counted in memory. Those of a photo that is gone are dropped.
    package func addVisits(_ visits: [VisitCounts]) async throws(StoreError) {
        guard !visits.isEmpty else { return }
        try await execute(.addVisits(visits))
    }

    /// How often a photo's page was opened in all, as far as written down.
    package func visits(of photo: PhotoID) async throws(StoreError) -> VisitCount { try await one(.visits(of: photo)) }

    /// The same with the days before one, newest first; a day without a visit is left out. Who asks is known to be the
    /// owner. A day is written `2026-12-31`; nil begins with the newest.
    package func visits(
        of photo: PhotoID, before day: String?, limit: Int
    ) async throws(StoreError) -> (sum: VisitCount, days: [VisitDay]) {
        let (sums, days) = try await mappingErrors { () async throws(PostgresError) in
            try await database.run(.visits(of: photo), .visitDays(of: photo, before: day, limit: limit))
        }
        return (sums.first ?? VisitCount(), days)
    }

    /// Some visits of all photos of an owner's, in an order that is gone on with.
    package func visits(
        toPhotosOf owner: UserID, after last: ExportVisits?, limit: Int
    ) async throws(StoreError) -> [ExportVisits] {
        try await rows(.visits(toPhotosOf: owner, after: last, limit: limit))
    }

    /// Folds some days that are longer ago than `visitDays` into the sum of their photo; how many.
    package func foldVisits(limit: Int = 10_000) async throws(StoreError) -> Int {
        try await execute(.foldVisits(keeping: Self.visitDays, limit: limit))
    }
}
