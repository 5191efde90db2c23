package import Domain
package import FoundationEssentials
import Postgres

/// The photo to submit, and its owner.
package struct JobSubject: Sendable {
    package let photo: Photo
    /// The photos that go along with it, in their order.
    package internal(set) var companions: [Photo] = []
    package let owner: String
    /// The owner's, by its IANA name.
    package let timeZone: String
    package let account: SealedAccount
    package let text: String
    /// As `Submission.thread`.
    package let thread: [String]
    /// Whether something of the caption is missing in `text`.
    package let isCut: Bool
    /// As `Submission.ownText`.
    package let ownText: String?
    /// Whether nothing of the photo may go to the account any more: it was made private.
    package let isWithheld: Bool
    /// Changes with everything that decides how the pictures look to the account.
    package let appearance: String
    /// The name that the owner signs pictures with; nil when they do not.
    package let signature: String?
}

/// A post that is to be changed or taken back. Of a photo that is deleted the words are empty.
package struct PostSubject: Sendable {
    package let remoteID: String
    /// Those that follow it in a thread.
    package let parts: [String]
    package let remoteURL: String?
    package let account: SealedAccount
    package let code: ShortCode
    /// Its words are gone then.
    package let isPhotoDeleted: Bool
    /// Whether nothing of the photo may go to the account any more: it was made private.
    package let isWithheld: Bool
    /// The account's own, or else the photo's.
    package let caption: String
    package let altText: String
    package let labels: ContentLabels
    /// When the photo was taken, or else posted.
    package let moment: Date
    /// The owner's, by its IANA name.
    package let timeZone: String
}

extension Query where Row == (SubmissionID, JobSubject) {
    /// No row for one whose photo was deleted meanwhile.
    static func subjects(of submissions: [SubmissionID]) -> Self {
        Query(
            "job_subjects",
            """
            SELECT s.id AS submission_id, \(viewColumns), u.time_zone, false AS liked, s.text, s.thread::text AS thread, s.is_cut,
                   s.own_text,
                   \(withheldColumn), \(appearanceColumn), \(SealedAccount.columns)
              FROM submissions s
              JOIN connections c ON c.id = s.connection_id
              JOIN photos p ON p.id = s.photo_id
              JOIN blobs b ON b.sha256 = p.sha256
              JOIN short_links l ON l.photo_id = p.id
              JOIN users u ON u.id = p.owner_id
             WHERE s.id = ANY ($1::uuid[]) AND p.deleted_at IS NULL
            """, [submissions.map(\.uuid)]
        ) { row throws(PostgresError) in
            let view = try PhotoView(row)
            let submission: SubmissionID = try row.id("submission_id")
            return (
                submission,
                JobSubject(
                    photo: view.photo, owner: view.owner, timeZone: try row.get("time_zone"),
                    account: try SealedAccount(row), text: try row.get("text"), thread: try row.thread(),
                    isCut: try row.get("is_cut"), ownText: try row.get("own_text"),
                    isWithheld: try row.get("is_withheld"),
                    appearance: try row.get("appearance"), signature: view.signature)
            )
        }
    }
}

extension Query where Row == PostSubject {
    /// No row for a submission that is not published.
    static func post(of submission: SubmissionID) -> Self {
        Query(
            "job_post",
            """
            SELECT s.remote_id AS post_id, s.remote_url, \(threadPosts) AS parts, l.code, coalesce(s.own_text, p.caption) AS caption, p.alt_text, p.sensitive,
                   p.content_warning, p.language,
                   p.deleted_at IS NOT NULL AS is_deleted, \(withheldColumn),
                   coalesce(p.taken_at, p.created_at) AS moment, u.time_zone, \(SealedAccount.columns)
              FROM submissions s
              JOIN connections c ON c.id = s.connection_id
              JOIN photos p ON p.id = s.photo_id
              JOIN short_links l ON l.photo_id = p.id
              JOIN users u ON u.id = p.owner_id
             WHERE s.id = $1 AND s.state = 'done'
            """, [submission.uuid]
        ) { row throws(PostgresError) in
            let remoteID: String = try row.get("post_id")
            let account = try SealedAccount(row)
            return PostSubject(
                remoteID: remoteID, parts: try row.get("parts"), remoteURL: try row.get("remote_url"), account: account,
                code: try row.value("code") { ShortCode($0) }, isPhotoDeleted: try row.get("is_deleted"),
                isWithheld: try row.get("is_withheld"),
                caption: try row.get("caption"),
                altText: try row.get("alt_text"), labels: try row.labels(), moment: try row.get("moment"),
                timeZone: try row.get("time_zone"))
        }
    }
}
