/// Who does something, and how it comes: what a line of the audit log says of it.
///
/// Whoever lets a request or a command in sets `current` for all that it does; the store reads it where it writes a line.
package struct Initiator: Sendable, Equatable {
    /// The way by which something comes.
    package enum Channel: String, Sendable, CaseIterable {
        case browser, app, terminal
        /// Pics itself, by the clock.
        case system
    }

    /// Nil: nobody has signed in.
    package let user: UserID?
    package let channel: Channel
    /// Where the request comes from, such as `192.0.2.0/24`: never a whole address.
    package let network: String?

    package init(_ channel: Channel, user: UserID? = nil, network: String? = nil) {
        (self.channel, self.user, self.network) = (channel, user, network)
    }

    /// Of the task that runs.
    @TaskLocal package static var current = Initiator(.system)
}

/// What was done, in the words of the audit log; `audit_log_action_known` has the same.
package enum AuditAction: String, Sendable, CaseIterable {
    case userInvited = "user_invited"
    case invitationDeleted = "invitation_deleted"
    case userJoined = "user_joined"
    case userCreated = "user_created"
    case userDeleted = "user_deleted"
    case adminGranted = "admin_granted"
    case adminRemoved = "admin_removed"
    case quotaChanged = "quota_changed"

    /// By the user, who knew the former one.
    case passwordChanged = "password_changed"
    /// By a link that was mailed.
    case passwordReset = "password_reset"
    /// By an operator at the terminal.
    case passwordSet = "password_set"
    case mailAddressChosen = "mail_address_chosen"
    case mailAddressRemoved = "mail_address_removed"
    /// Too many wrong passwords: no more are compared for a while.
    case signInLimited = "sign_in_limited"
    /// A browser in which the user has not signed in before.
    case deviceSignedIn = "device_signed_in"
    case sessionsEnded = "sessions_ended"
    /// With the detail `AuditEntry.recoveryCodes`: new recovery codes for the one that is on.
    case secondFactorOn = "second_factor_on"
    case secondFactorOff = "second_factor_off"
    /// By somebody else than the user.
    case secondFactorRemoved = "second_factor_removed"
    case recoveryCodeUsed = "recovery_code_used"
    case passkeyAdded = "passkey_added"
    case passkeyRemoved = "passkey_removed"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"

    case tokenCreated = "token_created"
    case tokenRevoked = "token_revoked"
    case appAllowed = "app_allowed"
    case appRevoked = "app_revoked"
    case webhookCreated = "webhook_created"
    case webhookChanged = "webhook_changed"
    case webhookDeleted = "webhook_deleted"

    case accountConnected = "account_connected"
    case accountReconnected = "account_reconnected"
    case accountDisconnected = "account_disconnected"

    case serviceKeysSet = "service_keys_set"
    case serviceKeysRemoved = "service_keys_removed"
    case servicesChosen = "services_chosen"
    case sealingKeyRotated = "sealing_key_rotated"

    case exportDownloaded = "export_downloaded"
    case importStarted = "import_started"
    case reportDecided = "report_decided"
}

/// What actions of the audit log are about: the choices of its filter.
package enum AuditKind: String, Sendable, CaseIterable {
    case people
    case signIns = "sign-ins"
    case keys, accounts, settings, data

    /// The actions of this kind.
    package var actions: [AuditAction] { AuditAction.allCases.filter { $0.kind == self } }
}

extension AuditAction {
    package var kind: AuditKind {
        switch self {
        case .userInvited, .invitationDeleted, .userJoined, .userCreated, .userDeleted, .adminGranted, .adminRemoved,
            .quotaChanged:
            .people
        case .passwordChanged, .passwordReset, .passwordSet, .mailAddressChosen, .mailAddressRemoved, .signInLimited,
            .deviceSignedIn, .sessionsEnded, .secondFactorOn, .secondFactorOff, .secondFactorRemoved,
            .recoveryCodeUsed, .passkeyAdded, .passkeyRemoved, .identityLinked, .identityUnlinked:
            .signIns
        case .tokenCreated, .tokenRevoked, .appAllowed, .appRevoked, .webhookCreated, .webhookChanged, .webhookDeleted:
            .keys
        case .accountConnected, .accountReconnected, .accountDisconnected: .accounts
        case .serviceKeysSet, .serviceKeysRemoved, .servicesChosen, .sealingKeyRotated: .settings
        case .exportDownloaded, .importStarted, .reportDecided: .data
        }
    }
}

/// The kind of the identifier of a line of the audit log.
package enum AuditTag {}
package typealias AuditID = Identifier<AuditTag>

/// Something that is about to be written down in the audit log.
package struct AuditEntry: Sendable, Equatable {
    /// The thing that something was done to.
    package struct Subject: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case user, invitation, token, app, webhook, account, service, photo, report, identity
        }

        package let kind: Kind
        /// Nil for what has no identifier, such as a service.
        package let id: Identifier<Subject>?
        /// Nil: the store knows the name of a user, a token, an app, an account or a webhook.
        package let name: String?

        package init<Thing>(_ kind: Kind, _ id: Identifier<Thing>?, name: String? = nil) {
            self.kind = kind
            self.id = id.map { Identifier<Subject>($0.uuid) }
            self.name = name
        }

        package init(_ kind: Kind, name: String) { (self.kind, id, self.name) = (kind, nil, name) }
    }

    /// The detail that tells new recovery codes from a second factor that was turned on.
    package static let recoveryCodes = "recovery_codes"

    package let action: AuditAction
    package let subject: Subject?
    /// The user whom it concerns, and who is shown it; nil: the whole Pics.
    package let user: UserID?
    /// Who did it where that is not whom `Initiator.current` names, as somebody who has just joined.
    package let actor: UserID?
    /// A few facts in short words; never a secret, an address for mail or what somebody has written.
    package let details: [String: String]

    package init(
        _ action: AuditAction, _ subject: Subject? = nil, of user: UserID? = nil, by actor: UserID? = nil,
        _ details: [String: String] = [:]
    ) {
        self.action = action
        self.subject = subject
        self.user = user
        self.actor = actor
        self.details = details
    }

    /// Something that was done to a user.
    package init(
        _ action: AuditAction, to user: UserID, by actor: UserID? = nil, _ details: [String: String] = [:]
    ) {
        self.init(action, Subject(.user, user), of: user, by: actor, details)
    }
}
