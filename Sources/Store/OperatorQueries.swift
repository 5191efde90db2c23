package import Domain
import Postgres

/// A submission as operators list it.
package struct OperatorSubmission: Sendable {
    package let submission: Submission
    package let owner: UserID
    package let ownerName: String
}

extension Query where Row == OperatorSubmission {
    /// Everybody's submissions, newest changes first; with nil, of all services and in all states.
    static func submissionsForOperator(service: String?, state: Submission.State?, limit: Int) -> Self {
        operatorQuery(
            "submissions_for_operator",
            """
             WHERE ($1::text IS NULL OR c.service = $1)
               AND ($2::text IS NULL OR $2 = CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
                                                  ELSE s.state::text END)
             ORDER BY s.updated_at DESC LIMIT $3::int
            """, [service, state?.rawValue, Int32(limit)])
    }

    static func submissionForOperator(_ id: SubmissionID) -> Self {
        operatorQuery("submission_for_operator", " WHERE s.id = $1", [id.uuid])
    }

    static func troubledSubmissions(limit: Int) -> Self {
        operatorQuery(
            "troubled_submissions",
            " WHERE s.state IN ('rejected', 'unknown', 'needs_login') ORDER BY s.updated_at DESC LIMIT $1::int",
            [Int32(limit)])
    }

    private static func operatorQuery(
        _ name: String, _ condition: String, _ parameters: [any ParameterConvertible]
    ) -> Self {
        Query(
            name,
            """
            SELECT x.*, o.id AS owner_id, o.name AS owner_name
              FROM (\(Query<Submission>.select)\(condition)) x
              JOIN connections k ON k.id = x.connection_id JOIN users o ON o.id = k.owner_id
             ORDER BY x.updated_at DESC
            """, parameters
        ) { row throws(PostgresError) in
            let owner: UserID = try row.id("owner_id")
            return OperatorSubmission(
                submission: try Query<Submission>.submission(row), owner: owner,
                ownerName: try row.get("owner_name"))
        }
    }
}

extension PicsStore {
    /// Everybody's submissions, newest changes first.
    package func submissionsForOperator(
        service: String?, state: Submission.State?, limit: Int
    ) async throws(StoreError) -> [OperatorSubmission] {
        try await rows(.submissionsForOperator(service: service, state: state, limit: limit))
    }

    /// - Throws: `.notFound`.
    package func submissionForOperator(_ id: SubmissionID) async throws(StoreError) -> OperatorSubmission {
        guard let found = try await first(.submissionForOperator(id)) else { throw .notFound }
        return found
    }
}
