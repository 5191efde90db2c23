import Postgres

/// How many rows break a rule of the queue.
struct BrokenRule: Sendable, Equatable {
    let rule: String
    let count: Int
}

extension Bench {
    /// The rules that are broken at one moment; one statement, hence one snapshot.
    func brokenRules() async throws(PostgresError) -> [BrokenRule] {
        try await database.run(
            Query(
                "broken_rules",
                """
                SELECT rule, count FROM (
                    SELECT 'a submission has a job until it has ended' AS rule, count(*) AS count
                      FROM submissions s LEFT JOIN jobs j ON j.submission_id = s.id
                     WHERE (s.state IN ('rejected', 'cancelled', 'unknown', 'deleted') AND j.id IS NOT NULL)
                        OR (s.state IN ('waiting', 'paused', 'needs_login') AND j.id IS NULL)
                        OR s.state = 'done' AND j.kind = 'submit' OR s.state <> 'done' AND j.kind <> 'submit'
                    UNION ALL
                    SELECT 'a submission says what its job waits for', count(*)
                      FROM jobs j JOIN submissions s ON s.id = j.submission_id
                     WHERE j.kind = 'submit' AND j.state = 'ready' AND s.state <> waiting_state(j.connection_id)
                    UNION ALL
                    SELECT 'a job that was cancelled and cannot have been published does not wait', count(*)
                      FROM jobs WHERE state = 'ready' AND effect = 'none' AND cancel_at IS NOT NULL
                    UNION ALL
                    SELECT 'a lane runs no more than it may', count(*)
                      FROM lanes l
                     WHERE (SELECT count(*) FROM jobs j WHERE j.connection_id = l.connection_id AND j.state = 'running')
                           > l.max_running
                    UNION ALL
                    SELECT 'a slot is one of its lane', count(*)
                      FROM jobs j JOIN lanes l ON l.connection_id = j.connection_id WHERE j.slot >= l.max_running
                    UNION ALL
                    SELECT 'a lane sleeps while its account is parked', count(*)
                      FROM lanes l JOIN connections c ON c.id = l.connection_id
                     WHERE l.paused <> (c.state IN ('needs_login', 'paused')) OR (l.paused AND l.wake_at < 'infinity')
                    UNION ALL
                    SELECT 'a lane with work does not oversleep', count(*)
                      FROM lanes l
                      JOIN lane_alarms(ARRAY(SELECT connection_id FROM lanes)) a ON a.connection_id = l.connection_id
                     WHERE l.wake_at > greatest(a.due_at, clock_timestamp())
                    UNION ALL
                    SELECT 'a count of likes is the number of likes', count(*)
                      FROM photos p WHERE p.like_count <> (SELECT count(*) FROM likes k WHERE k.photo_id = p.id)
                ) broken WHERE count > 0
                """
            ) { row throws(PostgresError) in BrokenRule(rule: try row.get("rule"), count: try row.get("count")) })
    }
}
