package import Domain
internal import FoundationEssentials

/// Why an action was refused, sorted by what its caller tells or does next. Errors of the store, the files and the services pass
/// as they are.
package enum ActionError: Error, Equatable, Sendable {
    /// The file is no picture and no video that Pics takes.
    case unsupportedMediaType
    /// The user's photos have all the bytes that they may have.
    case storageQuotaUsed
    /// The user has a photo of these bytes, and asked not to store them again.
    case knownPhoto(PhotoID)
    /// The bytes are not those that were announced.
    case digestMismatch
    /// Another request with the same idempotency key is under way.
    case requestUnderWay
    /// The idempotency key was used for another request.
    case keyUsed
    /// The user has too many uploads under way, or too many bytes of them.
    case uploadQuotaUsed
    /// The upload is a photo already.
    case uploadUsed
    /// There is no such upload.
    case noUpload
    /// Not all bytes of the upload have arrived.
    case uploadIncomplete
    /// The upload is made of others, and takes no bytes itself.
    case finalUpload
    /// The upload's parts together are longer than a file may be, in bytes.
    case uploadTooLarge(limit: Int64)
    /// The upload went past its length, or was not what was announced.
    case uploadFailed
    /// Another process takes this upload.
    case uploadLocked
    /// A newer request goes on with this upload.
    case superseded
    /// The submission is not unknown, so there is nothing to resolve.
    case notUnknown
    /// The submission was begun, or has ended: its time cannot be moved.
    case begun
    /// The photo is on its way to the account, or is another post there.
    case otherPost
    /// The service does not let Pics delete posts.
    case postStays
    /// The submission has no post to delete.
    case notPublished
    /// The photo is a draft: it goes nowhere before it is published.
    case photoIsDraft
    /// The price of a card was not shown for this very order, or too long ago.
    case priceNotShown
    /// An admin must remain.
    case lastAdmin
    /// There is a user of this name.
    case nameTaken(String)
    /// The invitation was used, taken back, or has expired.
    case invitationEnded
    /// The user has as many API tokens as one may have.
    case tooManyTokens(Int)
    /// Too many passwords are being hashed or compared.
    case passwordsBusy
    /// No account of anybody has this gate.
    case noGate
    /// An export of this user is under way, or too many of others.
    case exportUnderWay
    /// An import of this user has not ended.
    case importUnderWay
}

extension ActionError {
    /// The kinds of files that Pics takes, for developers.
    package static let takenTypes =
        "Pics takes JPEG, PNG, WebP, GIF, HEIC, MP4 and QuickTime, and decides by what is in the file."
}

/// A value of a request that cannot be taken.
package struct InvalidField: Error, Equatable, Sendable {
    /// A JSON Pointer (RFC 6901, as a URI fragment) such as `#/caption`.
    package let pointer: String
    /// A sentence for developers.
    package let detail: String
    /// Whether the request is well-formed, and only what it asks for is impossible.
    package let isContent: Bool

    package init(pointer: String, detail: String, isContent: Bool = false) {
        (self.pointer, self.detail, self.isContent) = (pointer, detail, isContent)
    }

    package static func invalid(_ pointer: String, _ detail: String) -> InvalidField {
        InvalidField(pointer: pointer, detail: detail)
    }

    /// The request is well-formed, but what it asks for is impossible.
    static func impossible(_ pointer: String, _ detail: String) -> InvalidField {
        InvalidField(pointer: pointer, detail: detail, isContent: true)
    }

    static let recipeOfVideo = InvalidField.invalid("#/recipe", "A video cannot have a recipe.")

    static let companionsOfVideo = InvalidField.impossible("#/with", "A video goes alone.")

    static let recipeWithoutPicture = InvalidField.impossible("#/recipe", "There is no picture to edit.")

    /// The JSON Pointer (RFC 6901, section 3) to a member with any name.
    package static func pointer(to member: String, in parent: String = "#") -> String {
        "\(parent)/\(member.replacing("~", with: "~0").replacing("/", with: "~1"))"
    }
}
