internal import Actions
internal import Domain
internal import HTTP

extension ProblemDetails {
    // No `default:` here. A new case must be decided, not inherited.
    init(_ error: ActionError) {
        switch error {
        case .unsupportedMediaType:
            self = RequestProblem.unsupportedType(ActionError.takenTypes).details
        case .storageQuotaUsed:
            self.init(
                type: "/problems/storage-quota", status: .contentTooLarge, title: "Not enough storage left",
                detail:
                    "Delete photos, or ask an admin for more space. Space of deleted photos is freed within a day."
            )
        case .knownPhoto(let id):
            self.init(
                type: "/problems/known-photo", status: .preconditionFailed, title: "You have a photo of these bytes",
                extensions: ["photo": .string(id.description)])
        case .digestMismatch:
            self.init(
                type: "/problems/digest-mismatch", status: .badRequest, title: "The digest does not fit",
                detail: "The bytes that came are not those that were announced.")
        case .requestUnderWay:
            self.init(
                type: "/problems/still-running", status: .conflict,
                title: "The same request is still being worked on",
                detail: "Send it again a little later to get its answer.", retryAfter: .seconds(1))
        case .keyUsed:
            self.init(
                type: "/problems/key-used", status: .unprocessableContent,
                title: "The Idempotency-Key was used for another request")
        case .uploadQuotaUsed:
            self.init(
                type: "/problems/upload-quota", status: .contentTooLarge, title: "Too many uploads are under way",
                detail: "End or delete some, or wait until they expire.")
        case .uploadUsed:
            self.init(type: "/problems/used-upload", status: .conflict, title: "The upload is a photo already")
        case .noUpload:
            self.init(
                InvalidField(pointer: "#/upload", detail: "There is no such upload.", isContent: true))
        case .uploadIncomplete:
            self.init(InvalidField.invalid("#/upload", "The upload is not complete."))
            self = ProblemDetails(
                type: type, status: .conflict, title: title, detail: detail, extensions: extensions)
        case .finalUpload:
            self.init(
                type: "/problems/final-upload", status: .forbidden, title: "A final upload takes no parts of its own")
        case .uploadTooLarge(let limit):
            self = RequestProblem.tooLarge(limit: limit).details
        case .uploadFailed:
            self.init(
                type: "/problems/upload-failed", status: .gone, title: "This upload has failed",
                detail: "It went past its length, or was not what was announced. Begin another.")
        case .uploadLocked:
            self.init(
                type: "/problems/locked", status: HTTPStatus(code: 423), title: "Another process takes this upload",
                retryAfter: .seconds(1))
        case .superseded:
            self.init(
                type: "/problems/superseded", status: .conflict, title: "A newer request goes on with this upload")
        case .notUnknown:
            self.init(
                type: "/problems/not-unknown", status: .conflict, title: "The submission is not unknown",
                detail: "Only what may have been published without an answer needs somebody to look.")
        case .begun:
            self.init(
                type: "/problems/begun", status: .conflict, title: "The submission was begun",
                detail: "Only the time of a submission that waits can be moved.")
        case .otherPost:
            self.init(
                type: "/problems/other-post", status: .conflict, title: "The account has another post of the photo",
                detail: "The photo is on its way to the account, or was posted there under another identifier.")
        case .postStays:
            self.init(
                type: "/problems/post-stays", status: .conflict, title: "Pics cannot delete posts at this service",
                detail: "Delete it there, and resolve or leave the submission here.")
        case .notPublished:
            self.init(
                type: "/problems/not-published", status: .conflict, title: "The submission has no post",
                detail: "Only a submission that is done has a post to delete. Cancel one that waits.")
        case .photoIsDraft:
            self.init(
                type: "/problems/draft", status: .conflict, title: "The photo is a draft",
                detail: "Publish it first.")
        case .priceNotShown:
            self.init(
                type: "/problems/price-not-shown", status: .conflict, title: "The price was not shown for this order",
                detail: "Ask for a preview, and order what it says within half an hour, as it is.")
        case .lastAdmin:
            self.init(
                type: "/problems/last-admin", status: .conflict, title: "An admin must remain",
                detail: "Make another user an admin first.")
        case .nameTaken(let name):
            self.init(
                type: "/problems/name-taken", status: .conflict, title: "The name is taken",
                detail: "The user name \(name) is taken.")
        case .invitationEnded:
            self.init(
                type: "/problems/invitation-ended", status: .gone, title: "The invitation has ended",
                detail: "It was used, taken back, or has expired. Ask for another.")
        case .tooManyTokens(let limit):
            self.init(
                type: "/problems/too-many-tokens", status: .conflict, title: "There are too many tokens",
                detail: "A user may have \(limit) tokens, counting those revoked in the last 24 hours.")
        case .passwordsBusy:
            self.init(
                type: "/problems/unavailable", status: .serviceUnavailable, title: "Too many sign in at once",
                detail: "Try again in a few seconds.", retryAfter: .seconds(5))
        case .noGate:
            self.init(InvalidField(pointer: "#/gate", detail: "No account is behind such a gate.", isContent: true))
        case .exportUnderWay:
            self.init(
                type: "/problems/exports-under-way", status: .serviceUnavailable,
                title: "An export is under way already",
                detail: "One at a time for each user, a few for everybody. Try again when it has ended.",
                retryAfter: .seconds(60))
        case .importUnderWay:
            self.init(
                type: "/problems/import-under-way", status: .conflict, title: "An import is under way already",
                detail: "One at a time for each user. Try again when it has ended.")
        }
    }
}
