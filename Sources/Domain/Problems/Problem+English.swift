package import FoundationEssentials

// The words of other languages stand in Web/Words. A text has two parts: what happened, and who acts next.

extension Problem {
    /// In English, times in UTC: for the API, the command line and release 0.1.0.
    package var text: String { text { Self.minute(of: $0) } }

    /// In English. `time` writes a time as its reader has it.
    package func text(_ time: (Date) -> String) -> String {
        [fact, nextStep(time)].compactMap { $0 }.joined(separator: " ")
    }

    /// `2026-11-21 19:42 UTC`.
    private static func minute(of time: Date) -> String {
        String(time.formatted(.iso8601).prefix(16)).replacing("T", with: " ") + " UTC"
    }

    private var service: String { parameters.service ?? "The service" }
    private var status: String { parameters.status.map { " (HTTP \($0))" } ?? "" }
    /// The user is connecting an account.
    package var isConnecting: Bool { parameters.phase == .connecting }
    /// The user waits for an answer.
    package var isInteractive: Bool { parameters.phase != nil }

    private var fact: String {
        switch code {
        case .unreachable: "\(service) could not be reached."
        case .noResponse: "\(service) did not answer."
        case .timedOut: "\(service) took too long."
        case .unreadableResponse: "\(service) sent a response that Pics does not understand."
        case .serverError: "\(service) had a server error\(status)."
        case .busy: "\(service) is busy."
        case .blockedByFirewall: "A firewall in front of \(service) blocked the request."
        case .addressUnusable: unusableAddress
        case .rateLimited:
            parameters.scope == .app
                ? "\(service)'s rate limit for all of this Pics was reached." : "\(service)'s rate limit was reached."
        case .quotaExceeded:
            parameters.scope == .app
                ? "The quota of the application keys at \(service) is used up."
                : "The quota of the account at \(service) is used up."
        case .storageFull: "The account at \(service) is full."
        case .serviceEnded: "\(service) no longer exists."
        case .serviceUnknown: "This Pics does not support the service \(service)."
        case .credentialsRefused:
            isConnecting ? "\(service) does not accept these credentials." : "\(service) refused the credentials."
        case .permissionDenied: "\(service) does not give Pics the permissions that it needs."
        case .senderRefused:
            "\(service) does not send mail from \(parameters.label ?? "this address") for this account."
        case .accountBlocked: "\(service) has blocked the account for a while."
        case .accountClosed: "\(service) or its owner has closed or suspended this account."
        case .deviceLimitReached: "The account has as many devices as \(service) allows."
        case .authenticationUnsupported:
            "\(service) asks for \(parameters.scheme ?? "another") authentication, and Pics supports Basic only."
        case .appPasswordRequired: "This is the account's own password."
        case .appKeysRefused: "\(service) does not accept the application keys of this Pics."
        case .appKeysMissing: "This Pics has no application keys for \(parameters.service ?? "this service")."
        case .credentialsDamaged: "The stored credentials are damaged."
        case .keyMissing: "This Pics does not have the key to the account's credentials."
        case .authorizationRefused: "Pics was not allowed to use the account."
        case .authorizationExpired: "This authorization cannot be used any more."
        case .valueRequired: "\(parameters.label ?? "A value") is required."
        case .valueInvalid: "\(parameters.label ?? "The value") is not valid."
        case .destinationMissing: "\(parameters.label ?? "The destination") was not found."
        case .destinationAmbiguous: "You can post to several places at \(service)."
        case .albumsMadeThere: "Albums are made at \(service) itself."
        case .destinationEncrypted: "\(service) encrypts what is posted there, which Pics does not support."
        case .albumNameInvalid: "An album or folder at \(service) cannot have this name."
        case .postRefused:
            isConnecting
                ? "\(service) does not accept what was entered\(status)."
                : "\(service) refused this photo or its text\(status)."
        case .textRefused: "\(service) refused the text."
        case .captionTooLong: "The caption is too long for \(service). Shorten it, and try again."
        case .tooManyTags: "\(service) does not allow so many hashtags or mentions."
        case .duplicatePost: "\(service) already has a post with this text."
        case .postingNotAllowed: "\(service) does not allow this account to post there."
        case .recipientRefused: "\(service) does not deliver to \(parameters.label ?? "a recipient")."
        case .fileTooLarge: "The file is larger than \(service) allows."
        case .unsupportedType: "\(service) does not support this type of file."
        case .fileRefused: "\(service) could not process the file."
        case .uploadLost: "\(service) no longer has the uploaded file."
        case .uploadFailed: "\(service) could not store the file."
        case .fileNotFetched: "\(service) could not fetch the file from the address of this Pics."
        case .stillProcessing: "\(service) is still processing the file."
        case .nameTaken: "\(service) already has something else with this name."
        case .albumMissing: "The album or folder at \(service) no longer exists."
        case .postMissing: "\(service) no longer has this post."
        case .notFound:
            isConnecting
                ? "\(service) has nothing at this address." : "\(service) no longer has what the account needs."
        case .unconfirmed: "\(service) did not confirm the post."
        case .changeUnsupported:
            parameters.reason == .delete
                ? "\(service) does not let Pics delete a post." : "\(service) does not let Pics edit a post."
        case .orderMissing: "Photos go to \(service) as orders only, each with a price that somebody has confirmed."
        case .priceChanged: "The price at \(service) has changed since it was confirmed. Nothing was ordered."
        case .paymentRequired: "\(service) asks for a payment, a way to pay or a confirmed account."
        case .countryNotServed: "\(service) does not send this card to this country."
        case .tooLateToCancel: "It is too late to cancel this order at \(service)."
        case .fileMissing: "The photo's file is missing."
        case .fileDamaged: "The photo's file is damaged."
        case .fileUnreadable: "The photo's file could not be read."
        case .pictureNotPrepared: "The picture could not be prepared."
        case .mediaUnusable: unusable
        case .archiveNotWritable: "The archive folder cannot be written."
        case .newerReleaseRequired: "A newer release of Pics has begun this post and will finish it."
        case .databaseUnavailable: "The database could not be reached."
        case .internalError: "Pics had an internal error."
        case .interrupted: "The attempt was interrupted."
        case .accountPaused: "The account is paused."
        case .servicePaused: parameters.words ?? "An admin has paused this."
        case .accountDisconnected:
            parameters.reason == .edit
                ? "The account was disconnected. The post stays as it is." : "The account was disconnected."
        case .attemptsExhausted: "\(causeFact) \(gaveUp)"
        case .outcomeUnknown: unknown
        case .other: parameters.words ?? "Something went wrong."
        }
    }

    private var unusableAddress: String {
        switch parameters.reason {
        case .redirected: "\(service) redirects the request."
        case .invalidCertificate: "The server's certificate is not valid for its name."
        case .notEncrypted: "The server does not encrypt the connection."
        case .noLogin: "The server offers no login at this port."
        default: "\(service) is not at a public address, and Pics may not reach others."
        }
    }

    private var unusable: String {
        switch parameters.reason {
        case .cannotFit: "The picture cannot be made small enough for the service."
        case .cannotEdit: "A video cannot be edited."
        case .cannotStrip: "The video's private metadata cannot be removed."
        default: "The file cannot be prepared."
        }
    }

    private var causeFact: String {
        guard let cause = parameters.cause, cause != .attemptsExhausted else {
            return parameters.words ?? "The post could not be published."
        }
        return Problem(cause, parameters).fact
    }

    private var gaveUp: String {
        switch parameters.reason {
        case .edit: "Pics stopped trying to edit the post."
        case .delete: "Pics stopped trying to delete the post."
        default: "Pics stopped retrying."
        }
    }

    private var unknown: String {
        switch parameters.reason {
        case .photoDeleted: "The photo was deleted while it was being published."
        case .photoChanged: "The photo was changed while it was being published."
        case .cancelled: "The post was cancelled, but may have been published before."
        case .disconnected: "The account was disconnected before it was clear whether this was posted."
        case .attemptsExhausted: "\(causeFact) Pics stopped retrying; the photo may have been posted."
        default:
            "The connection broke while publishing, and \(parameters.service ?? "the service") does not tell whether it was posted."
        }
    }

    private func nextStep(_ time: (Date) -> String) -> String? {
        switch code {
        case .deviceLimitReached: return "Remove a device there and reconnect the account."
        case .appPasswordRequired: return "Create an app password for Pics."
        case .authenticationUnsupported: return "Turn on Basic authentication at the server."
        case .authorizationRefused, .authorizationExpired: return "Start connecting again."
        case .valueRequired, .albumNameInvalid: return nil
        case .valueInvalid: return parameters.example.map { "Enter a value such as \($0)." }
        case .destinationAmbiguous: return "Enter the name or number of one."
        case .destinationEncrypted: return "Connect one that is not encrypted."
        case .recipientRefused where isInteractive: return nil
        case .recipientRefused: return "Connect another account with the right recipients."
        case .duplicatePost: return "Change the caption and retry."
        case .albumMissing: return "Choose another one."
        case .attemptsExhausted: return nil
        case .appKeysMissing: return "Ask your admin to add \(parameters.field ?? "them")."
        case .fileMissing, .fileDamaged: return "Restore it from a backup, or send the photo again."
        case .internalError: return "Its log says why."
        case .servicePaused: return nil
        case .priceChanged: return "Order it again at the new price."
        case .countryNotServed: return nil
        default: break
        }
        switch code.nextStep {
        case .picsRetries:
            guard let until = parameters.until else {
                return isInteractive ? "Try again later." : "Pics retries automatically."
            }
            return isInteractive ? "Try again after \(time(until))." : "Retrying at \(time(until))."
        case .picsChecks: return isInteractive ? "Try again later." : "Pics checks whether the photo was posted."
        case .userReconnects where isConnecting: return nil
        case .userReconnects: return "Reconnect your \(parameters.service.map { "\($0) " } ?? "")account."
        case .userCorrects where isInteractive: return nil
        case .userCorrects:
            return code == .addressUnusable
                ? "Check the account's address." : "Change the photo or the text, then retry."
        case .userLooks: return "Look at \(parameters.service ?? "the service")."
        case .userResumes: return "Resume it when you are ready."
        case .adminActs: return "Ask your admin."
        case .none: return nil
        }
    }
}
