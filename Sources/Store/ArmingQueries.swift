import Domain
import Postgres

/// Whether nothing of photo `p` may go to connection `c` any more: it was made private, and not for its owner's own archive.
let withheldColumn =
    "(p.visibility = 'private' AND p.made_private_at IS NOT NULL AND c.service <> 'file') AS is_withheld"

/// The inputs that decide how photo `p` of user `u` looks to connection `c`, as a text that changes with it: the recipes of the photo and of
/// those that go along, what was chosen for the account, and the name that pictures are signed with.
let appearanceColumn = """
    md5(concat_ws('|', c.settings ->> 'caption', c.settings ->> 'keep_position', c.settings ->> 'quality', c.settings ->> 'auto_enhance',
                  c.settings ->> 'share', c.settings ->> 'visibility', u.signature, p.recipe::text,
                  (SELECT string_agg(concat_ws(' ', o.id::text, o.recipe::text), ',' ORDER BY o.id)
                     FROM companions n JOIN photos o ON o.id = n.companion_id
                    WHERE n.photo_id = p.id AND \(companionCondition)))) AS appearance
    """

/// The result of asking to send the request that publishes.
package enum Arming: Sendable, Equatable {
    /// It may leave.
    case armed
    /// A person has asked for the end of the submission, or made the photo private.
    case cancelled
    /// The photo, or what was chosen for the account, looks otherwise than what was prepared.
    case outdated
}

extension Query where Row == Arming {
    /// As `checkpoint`, for the request that publishes: asked once more is whether the photo may leave, and looks as it did.
    static func arm(
        _ job: ClaimedJob, appearance: String, journal: String, version: Int, lease: Duration
    ) -> Self {
        Query(
            "arm_job",
            """
            SELECT is_cancelled OR l.is_withheld AS is_cancelled, l.appearance <> $3 AS is_outdated
              FROM (SELECT \(withheldColumn), \(appearanceColumn)
                      FROM jobs j
                      JOIN submissions s ON s.id = j.submission_id
                      JOIN connections c ON c.id = s.connection_id
                      JOIN photos p ON p.id = s.photo_id
                      JOIN users u ON u.id = p.owner_id
                     WHERE j.id = $1) l
             CROSS JOIN LATERAL checkpoint_job(
                       $1, $2, $6::text::jsonb, $4::smallint, NOT l.is_withheld AND l.appearance = $3,
                       make_interval(secs => $5::float8)) is_cancelled
             WHERE is_cancelled IS NOT NULL
            """,
            [job.id, job.leaseNo, appearance, Int16(version), lease.seconds, journal]
        ) { row throws(PostgresError) in
            let isCancelled: Bool = try row.get("is_cancelled")
            let isOutdated: Bool = try row.get("is_outdated")
            return isCancelled ? .cancelled : isOutdated ? .outdated : .armed
        }
    }
}

extension Query where Row == Void {
    /// Asks for the end of the submissions of a photo that may not leave any more. The caller holds their lanes.
    static func withhold(_ photo: PhotoID) -> Self {
        Query(
            "withhold_photo",
            """
            SELECT cancel_submission(k.id)
              FROM (SELECT s.id
                      FROM photos p
                      JOIN submissions s ON s.photo_id = p.id
                      JOIN connections c ON c.id = s.connection_id
                      JOIN jobs j ON j.submission_id = s.id
                     WHERE p.id = $1 AND j.kind = 'submit' AND p.visibility = 'private'
                       AND p.made_private_at IS NOT NULL AND c.service <> 'file'
                     ORDER BY j.id) k
            """, [photo.uuid])
    }
}
