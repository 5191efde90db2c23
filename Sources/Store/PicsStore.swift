internal import Domain
package import Postgres

/// Everything Pics keeps in PostgreSQL. SQL stands in the `…Queries.swift` files, one query a function.
package struct PicsStore: Sendable {
    package let database: Database
    /// Where lists for strangers may be read.
    package let replica: Replica?
    let photos: DataLoaders<PhotoKey, VisiblePhoto>
    let tokens: DataLoaders<[UInt8], TokenMatch>
    let subjects: DataLoaders<SubmissionID, JobSubject>
    let receipts: ReceiptWriters
    let changes: DataLoaders<ChangeKey, Changes>
    let snapshots: DataLoaders<SharedKey, DatabaseSnapshot>
    let bell: WorkNotifier
    /// Searches in photos by their owner, and by everybody else.
    let ownSearches: SearchTurns
    let publicSearches: SearchTurns

    package init(database: Database, replica: Replica? = nil) {
        (self.database, self.replica) = (database, replica)
        let connections = database.settings.connectionsPerLoop * database.loops.count
        ownSearches = SearchTurns(connections: connections)
        publicSearches = SearchTurns(connections: connections)
        bell = WorkNotifier(on: database.loops[0], logger: database.logger)
        photos = DataLoaders(database.loops) { keys throws(StoreError) in
            let (views, submissions) = try await PicsStore.mappingErrors { () async throws(PostgresError) in
                try await database.run(.photos(keys), .submissions(ofOwned: keys))
            }
            let grouped = Dictionary(grouping: submissions, by: \.photo)
            return Dictionary(
                views.map { key, view in
                    let isOwner = view.photo.owner == key.viewer
                    return (key, VisiblePhoto(view: view, submissions: isOwner ? grouped[key.id] ?? [] : []))
                }, uniquingKeysWith: { first, _ in first })
        }
        tokens = DataLoaders(database.loops) { hashes throws(StoreError) in
            let matches = try await PicsStore.mappingErrors { () async throws(PostgresError) in
                try await database.run(.tokens(hashes: hashes))
            }
            return Dictionary(matches.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        }
        subjects = DataLoaders(database.loops) { submissions throws(StoreError) in
            let subjects = try await PicsStore.mappingErrors { () async throws(PostgresError) in
                try await database.run(.subjects(of: submissions))
            }
            let companions = try await PicsStore.companions(of: subjects.map(\.1.photo), in: database)
            return Dictionary(
                uniqueKeysWithValues: subjects.map { submission, subject in
                    var subject = subject
                    subject.companions = subject.photo.companions.compactMap { companions[$0] }
                    return (submission, subject)
                })
        }
        changes = DataLoaders(database.loops) { keys throws(StoreError) in
            let (settled, rows, photos, responses) = try await PicsStore.mappingErrors {
                () async throws(PostgresError) in
                try await database.run(.settledTime, .changes(keys), .processedPhotos(keys), .changedResponses(keys))
            }
            guard let settledAt = settled.first else { return [:] }
            var changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, Changes(settledAt: settledAt)) })
            for row in rows { changes[keys[row.key]]?.submissions.append(row.submission) }
            for row in photos { changes[keys[row.key]]?.photos.append(row.photo) }
            for row in responses { changes[keys[row.key]]?.responses.append(row.response) }
            return changes
        }
        snapshots = DataLoaders(database.loops) { keys throws(StoreError) in
            let found = try await PicsStore.mappingErrors { () async throws(PostgresError) in
                try await database.one(.snapshot)
            }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, found) })
        }
        receipts = ReceiptWriters(database.loops) { jobs throws(StoreError) in
            try await PicsStore.mappingErrors { () async throws(PostgresError) in
                Set(try await database.run(.finish(jobs)))
            }
        }
    }

    /// Claims due work and does it side by side, until there is none or so many `batches` were done; how much it was. A claim that takes one thing
    /// of each account leaves others that are due.
    package func work<Due: Sendable>(
        batches: Int, claim: (PicsStore) async throws(StoreError) -> [Due],
        on body: @escaping @Sendable (Due) async -> Void
    ) async throws(StoreError) -> Int {
        var count = 0
        for _ in 0..<batches {
            let due = try await claim(self)
            guard !due.isEmpty else { break }
            await withTaskGroup(of: Void.self) { group in
                for one in due { group.addTask { await body(one) } }
            }
            count += due.count
        }
        return count
    }

    /// Runs `body` and sorts PostgreSQL's errors by what a caller does next.
    static func mappingErrors<Value>(_ body: () async throws(PostgresError) -> Value) async throws(StoreError) -> Value
    {
        do {
            return try await body()
        } catch {
            throw StoreError(error)
        }
    }

    func mappingErrors<Value>(_ body: () async throws(PostgresError) -> Value) async throws(StoreError) -> Value {
        try await PicsStore.mappingErrors(body)
    }

    func rows<Row>(_ query: Query<Row>) async throws(StoreError) -> [Row] {
        try await mappingErrors { () async throws(PostgresError) in try await database.run(query) }
    }

    func first<Row>(_ query: Query<Row>) async throws(StoreError) -> Row? {
        try await mappingErrors { () async throws(PostgresError) in try await database.first(query) }
    }

    func one<Row>(_ query: Query<Row>) async throws(StoreError) -> Row {
        try await mappingErrors { () async throws(PostgresError) in try await database.one(query) }
    }

    @discardableResult
    func execute(_ command: Query<Void>) async throws(StoreError) -> Int {
        try await mappingErrors { () async throws(PostgresError) in try await database.execute(command) }
    }
}
