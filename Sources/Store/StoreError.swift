internal import Logging
package import Postgres

/// Why the store did not do what it was asked.
package enum StoreError: DetailedError, Equatable {
    /// Absent, or not the caller's. The two are deliberately one.
    case notFound
    /// It was there and is deleted.
    case gone
    /// A unique constraint, or a check that is meant for callers, refused the row; `constraint` is its name in `migrations/`.
    case conflict(constraint: String)
    /// The row was changed since the caller read it.
    case changed
    /// The photo was made private: nothing of it may be sent.
    case withheld
    /// PostgreSQL cannot be reached or is too busy.
    case unavailable
    /// Too many searches of the same photos wait already.
    case searchesBusy
    /// A search compared texts for longer than it may.
    case searchTooLong
    /// The caller's task was cancelled.
    case cancelled
    /// A wrong statement, a wrong decoding, or a violated constraint that no caller can cause. Logged in full, never shown.
    case defect(PostgresError)

    init(_ error: PostgresError) {
        if let constraint = error.constraint, error.sqlState == "23505" || Self.checksOfCallers.contains(constraint) {
            self = .conflict(constraint: constraint)
        } else if error.isTemporary {
            self = .unavailable
        } else if error == .cancelled || error == .closed {
            self = .cancelled
        } else {
            self = .defect(error)
        }
    }

    /// Whether a change that ends so may have happened all the same: its commit was sent, and nobody knows the answer.
    package var leavesChangeUnknown: Bool { self == .unavailable || self == .cancelled }

    /// Checks that refuse what somebody typed in, or has no room for.
    private static let checksOfCallers: Set = ["users_name_form", "users_storage_quota"]

    package var detail: String {
        if case .defect(let error) = self { error.detail } else { "\(self)" }
    }
}

extension Error {
    /// Whether the store says that this named constraint refused the row. A `catch` of the one case does not compile where errors are typed.
    package func isConflict(of constraint: String) -> Bool {
        self as? StoreError == .conflict(constraint: constraint)
    }
}
