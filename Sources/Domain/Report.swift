package import FoundationEssentials

package typealias ReportID = Identifier<Report>

/// What somebody has to say against a photo that they see.
package struct Report: Sendable, Equatable {
    /// Names are the database's and the form's.
    package enum Reason: String, Sendable, CaseIterable {
        case spam, illegal, violence, sexual
        /// The reporter's own rights, such as their copyright.
        case rights
        case privacy, other
    }

    /// What an admin does with the photo. Names are the database's and the form's.
    package enum Decision: String, Sendable, CaseIterable {
        case dismissed
        /// The photo is its owner's alone from now on.
        case `private`
        /// The photo is deleted; its owner may take that back, as any deletion.
        case deleted
    }

    /// Of a report's text, and of an admin's note, in Unicode scalars.
    package static let longestText = 1000
    /// Open reports of one photo; more say nothing new.
    package static let mostOfPhoto = 50

    package let id: ReportID
    package let photo: PhotoID
    package let code: ShortCode
    package let owner: User
    package let reason: Reason
    package let text: String
    /// Where an answer may go.
    package let address: String?
    package let createdAt: Date
    /// Nil while it is open.
    package let decision: Decision?
    package let decidedAt: Date?
    /// The name of the admin.
    package let decidedBy: String?
    package let note: String

    package init(
        id: ReportID, photo: PhotoID, code: ShortCode, owner: User, reason: Reason, text: String, address: String?,
        createdAt: Date, decision: Decision?, decidedAt: Date?, decidedBy: String?, note: String
    ) {
        (self.id, self.photo, self.code, self.owner) = (id, photo, code, owner)
        (self.reason, self.text, self.address, self.createdAt) = (reason, text, address, createdAt)
        (self.decision, self.decidedAt, self.decidedBy, self.note) = (decision, decidedAt, decidedBy, note)
    }
}
