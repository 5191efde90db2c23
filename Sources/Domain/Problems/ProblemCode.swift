/// The stable name of a problem that a person or a program is told of. Raw values are the wire's and the database's; `docs/problems.md`
/// lists them with their parameters.
package enum ProblemCode: String, Sendable, Codable, CaseIterable {
    // MARK: The service

    case unreachable
    /// The request left, and no answer came.
    case noResponse = "no_response"
    /// The attempt took longer than Pics allows.
    case timedOut = "timed_out"
    case unreadableResponse = "unreadable_response"
    case serverError = "server_error"
    case busy
    case blockedByFirewall = "blocked_by_firewall"
    /// The account's address redirects, is not a public one, or has no safe connection or no login.
    case addressUnusable = "address_unusable"
    case rateLimited = "rate_limited"
    case quotaExceeded = "quota_exceeded"
    case storageFull = "storage_full"
    case serviceEnded = "service_ended"
    case serviceUnknown = "service_unknown"

    // MARK: The account

    case credentialsRefused = "credentials_refused"
    case permissionDenied = "permission_denied"
    /// The mail server lets the account send nothing from its sender's address.
    case senderRefused = "sender_refused"
    case accountBlocked = "account_blocked"
    case accountClosed = "account_closed"
    case deviceLimitReached = "device_limit_reached"
    case authenticationUnsupported = "authentication_unsupported"
    case appPasswordRequired = "app_password_required"
    case appKeysRefused = "app_keys_refused"
    case appKeysMissing = "app_keys_missing"
    case credentialsDamaged = "credentials_damaged"
    /// The key that sealed the credentials is not on this process's ring.
    case keyMissing = "key_missing"

    // MARK: Connecting an account

    case authorizationRefused = "authorization_refused"
    case authorizationExpired = "authorization_expired"
    case valueRequired = "value_required"
    case valueInvalid = "value_invalid"
    case destinationMissing = "destination_missing"
    case destinationAmbiguous = "destination_ambiguous"
    case destinationEncrypted = "destination_encrypted"
    case albumNameInvalid = "album_name_invalid"
    /// The service lets no program make albums.
    case albumsMadeThere = "albums_made_there"

    // MARK: The post

    case postRefused = "post_refused"
    case textRefused = "text_refused"
    /// The owner lets no caption be cut for the account.
    case captionTooLong = "caption_too_long"
    /// The text has more hashtags or mentions than the service takes.
    case tooManyTags = "too_many_tags"
    case duplicatePost = "duplicate_post"
    case postingNotAllowed = "posting_not_allowed"
    /// The mail server delivers nothing to a recipient.
    case recipientRefused = "recipient_refused"
    case fileTooLarge = "file_too_large"
    case unsupportedType = "unsupported_type"
    case fileRefused = "file_refused"
    case uploadLost = "upload_lost"
    case uploadFailed = "upload_failed"
    /// The service fetches files, and could not fetch this one from the address that it was given.
    case fileNotFetched = "file_not_fetched"
    case stillProcessing = "still_processing"
    case nameTaken = "name_taken"
    case albumMissing = "album_missing"
    case postMissing = "post_missing"
    case notFound = "not_found"
    case unconfirmed
    case changeUnsupported = "change_unsupported"

    // MARK: Orders

    /// A service that prints on paper was given a photo without an order that somebody has confirmed.
    case orderMissing = "order_missing"
    /// The price is higher than the confirmed one, or in another currency; nothing was ordered.
    case priceChanged = "price_changed"
    /// The service asks for a payment, a way to pay or a confirmed account first.
    case paymentRequired = "payment_required"
    case countryNotServed = "country_not_served"
    case tooLateToCancel = "too_late_to_cancel"

    // MARK: Pics itself

    case fileMissing = "file_missing"
    case fileDamaged = "file_damaged"
    case fileUnreadable = "file_unreadable"
    case pictureNotPrepared = "picture_not_prepared"
    case mediaUnusable = "media_unusable"
    case archiveNotWritable = "archive_not_writable"
    case newerReleaseRequired = "newer_release_required"
    case databaseUnavailable = "database_unavailable"
    case internalError = "internal_error"
    case interrupted

    // MARK: The queue

    case accountPaused = "account_paused"
    case servicePaused = "service_paused"
    case accountDisconnected = "account_disconnected"
    case attemptsExhausted = "attempts_exhausted"
    case outcomeUnknown = "outcome_unknown"
    /// A text alone, such as an earlier release has written.
    case other
}

extension ProblemCode {
    /// The next actor: queue, user, admin or nobody.
    package enum NextStep: Sendable, CaseIterable {
        /// Pics tries again by itself.
        case picsRetries
        /// Pics looks whether the photo was posted.
        case picsChecks
        /// The user connects the account again.
        case userReconnects
        /// The user corrects what they entered, the photo, its text or a choice of the account.
        case userCorrects
        /// The user looks at the service.
        case userLooks
        /// The user lets the account go on.
        case userResumes
        case adminActs
        /// Nobody: it is final, or told for information.
        case none
    }

    package var nextStep: NextStep {
        switch self {
        case .unreachable, .timedOut, .unreadableResponse, .serverError, .busy, .blockedByFirewall, .rateLimited,
            .quotaExceeded, .storageFull, .accountBlocked, .uploadLost, .uploadFailed, .fileNotFetched,
            .stillProcessing, .fileUnreadable, .pictureNotPrepared, .newerReleaseRequired, .databaseUnavailable,
            .interrupted:
            .picsRetries
        case .noResponse, .unconfirmed: .picsChecks
        case .credentialsRefused, .permissionDenied, .credentialsDamaged, .deviceLimitReached, .destinationEncrypted,
            .senderRefused:
            .userReconnects
        case .addressUnusable, .authenticationUnsupported, .appPasswordRequired, .authorizationRefused,
            .authorizationExpired, .valueRequired, .valueInvalid, .destinationMissing, .destinationAmbiguous,
            .albumNameInvalid, .postRefused, .textRefused, .captionTooLong, .tooManyTags, .duplicatePost, .fileTooLarge,
            .unsupportedType,
            .fileRefused, .nameTaken, .recipientRefused, .albumMissing, .attemptsExhausted, .mediaUnusable,
            .priceChanged, .countryNotServed:
            .userCorrects
        case .accountClosed, .albumsMadeThere, .postingNotAllowed, .notFound, .outcomeUnknown, .paymentRequired:
            .userLooks
        case .accountPaused: .userResumes
        case .appKeysRefused, .appKeysMissing, .keyMissing, .serviceUnknown, .fileMissing, .fileDamaged,
            .archiveNotWritable, .internalError, .servicePaused:
            .adminActs
        case .serviceEnded, .postMissing, .changeUnsupported, .accountDisconnected, .orderMissing, .tooLateToCancel,
            .other:
            .none
        }
    }
}
