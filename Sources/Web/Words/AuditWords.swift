internal import Domain
internal import System

/// Words of the audit log.
extension Phrase {
    static let auditLog = Phrase("Audit log", ja: "監査ログ")
    static let securityActivity = Phrase("Security activity", ja: "セキュリティの履歴")
    static let ownAuditExplained = Phrase(
        "Sign-ins from new devices, and changes to your password, keys, apps and accounts.",
        ja: "新しい端末からのログインと、パスワード・キー・アプリ・接続アカウントの変更です。")
    static let noAuditLines = Phrase("Nothing found.", ja: "記録はありません。")
    static let olderAuditLines = Phrase("Older", ja: "以前の記録")
    static let newestAuditLines = Phrase("Newest", ja: "最新の記録")
    static let recoveryCodesReplaced = Phrase("Recovery codes replaced", ja: "リカバリーコードを再作成")
    static let auditPerson = Phrase("User", ja: "ユーザー")
    static let noSuchPerson = Phrase("Unknown user name.", ja: "このユーザー名はありません。")
    static let auditKindLabel = Phrase("Kind", ja: "種類")
    static let auditAllKinds = Phrase("All", ja: "すべて")
    static let auditFilter = Phrase("Filter", ja: "絞り込む")
    static let auditYou = Phrase("you", ja: "自分")

    /// Where something came from: `192.0.2.…` for `192.0.2.0/24`.
    static func auditNetwork(_ network: String) -> Phrase {
        let tail = ".0/24"
        let shown = network.hasSuffix(tail) ? "\(network.dropLast(tail.count)).…" : network
        return Phrase("network \(shown)", ja: "ネットワーク \(shown)")
    }

    static func auditKind(_ kind: AuditKind) -> Phrase {
        switch kind {
        case .people: Phrase("Users", ja: "ユーザー")
        case .signIns: Phrase("Sign-ins", ja: "ログイン")
        case .keys: Phrase("Keys and apps", ja: "キーとアプリ")
        case .accounts: Phrase("Connected accounts", ja: "接続アカウント")
        case .settings: Phrase("System settings", ja: "システム設定")
        case .data: Phrase("Data", ja: "データ")
        }
    }

    static func auditChannel(_ channel: Initiator.Channel) -> Phrase {
        switch channel {
        case .browser: Phrase("browser", ja: "ブラウザー")
        case .app: Phrase("app", ja: "アプリ")
        case .terminal: Phrase("terminal", ja: "ターミナル")
        case .system: Phrase("automatic", ja: "自動")
        }
    }

    /// Who has done something without having signed in.
    static func auditNobody(_ channel: Initiator.Channel) -> Phrase {
        switch channel {
        case .browser, .app: Phrase("not signed in", ja: "未ログイン")
        case .terminal: Phrase("operator", ja: "運用者")
        case .system: Phrase(same: "Pics")
        }
    }

    /// The name of a fact of a line.
    static func auditDetail(_ name: String) -> Phrase {
        switch name {
        case "admin": Phrase("admin", ja: "管理者")
        case "browser": Phrase("browser", ja: "ブラウザー")
        case "decision": Phrase("decision", ja: "対応")
        case "quota": Phrase("limit", ja: "上限")
        case "reason": Phrase("reason", ja: "理由")
        case "scopes": Phrase("permissions", ja: "できること")
        case "services": Phrase("services", ja: "サービス")
        case "tokens_revoked": Phrase("tokens revoked", ja: "トークンの無効化")
        case "url": Phrase("address", ja: "アドレス")
        default: Phrase(same: name)
        }
    }

    /// What a fact of a line says.
    static func auditValue(_ value: String, of name: String) -> Phrase {
        switch (name, value) {
        case ("browser", _): BrowserName.of(value)
        case (_, "yes"): Phrase("yes", ja: "はい")
        case ("quota", "none"): Phrase("no limit", ja: "上限なし")
        case ("quota", "default"): Phrase("default", ja: "標準")
        case ("quota", _): Phrase(same: bytes(value).map(FileSize.text) ?? value)
        case ("url", "new"): Phrase("changed", ja: "変更")
        case ("reason", "app"): Phrase("by the app", ja: "アプリによる")
        case ("reason", "reuse"): Phrase("a code or token was used twice", ja: "コードまたはトークンの再使用")
        case ("reason", _): Report.Reason(rawValue: value).map(reportReason) ?? Phrase(same: value)
        case ("decision", _): Report.Decision(rawValue: value).map(reportDecision) ?? Phrase(same: value)
        default: Phrase(same: value)
        }
    }

    /// Of `5242880 bytes`.
    private static func bytes(_ value: String) -> Int64? {
        let unit = " bytes"
        return value.hasSuffix(unit) ? Int64(value.dropLast(unit.count)) : nil
    }

    /// What was done; `word` is shown for what only a later release knows.
    static func auditAction(_ action: AuditAction?, word: String) -> Phrase {
        guard let action else { return Phrase(same: word) }
        return switch action {
        case .userInvited: Phrase("User invited", ja: "ユーザーを招待")
        case .invitationDeleted: Phrase("Invitation deleted", ja: "招待を取り消し")
        case .userJoined: Phrase("User joined", ja: "招待に応じて参加")
        case .userCreated: Phrase("User created", ja: "ユーザーを作成")
        case .userDeleted: Phrase("User deleted", ja: "ユーザーを削除")
        case .adminGranted: Phrase("Admin added", ja: "管理者に変更")
        case .adminRemoved: Phrase("Admin removed", ja: "管理者を解除")
        case .quotaChanged: Phrase("Storage limit changed", ja: "保存容量の上限を変更")
        case .passwordChanged: Phrase("Password changed", ja: "パスワードを変更")
        case .passwordReset: Phrase("Password reset by mail", ja: "メールでパスワードを再設定")
        case .passwordSet: Phrase("Password set by an operator", ja: "運用者がパスワードを設定")
        case .mailAddressChosen: Phrase("Mail address changed", ja: "メールアドレスを変更")
        case .mailAddressRemoved: Phrase("Mail address removed", ja: "メールアドレスを削除")
        case .signInLimited: Phrase("Too many wrong passwords", ja: "パスワードの誤りが多すぎます")
        case .deviceSignedIn: Phrase("Signed in on a new device", ja: "新しい端末でログイン")
        case .sessionsEnded: Phrase("Signed out everywhere", ja: "すべてのブラウザーからログアウト")
        case .secondFactorOn: Phrase("Two-factor sign-in turned on", ja: "2段階認証を有効化")
        case .secondFactorOff: Phrase("Two-factor sign-in turned off", ja: "2段階認証を無効化")
        case .secondFactorRemoved: Phrase("Two-factor sign-in removed", ja: "2段階認証を解除")
        case .recoveryCodeUsed: Phrase("Recovery code used", ja: "リカバリーコードを使用")
        case .passkeyAdded: Phrase("Passkey added", ja: "パスキーを追加")
        case .passkeyRemoved: Phrase("Passkey removed", ja: "パスキーを削除")
        case .identityLinked: Phrase("Sign-in linked", ja: "外部ログインを連携")
        case .identityUnlinked: Phrase("Sign-in unlinked", ja: "外部ログインの連携を解除")
        case .tokenCreated: Phrase("Token created", ja: "トークンを作成")
        case .tokenRevoked: Phrase("Token revoked", ja: "トークンを無効化")
        case .appAllowed: Phrase("App allowed", ja: "アプリを許可")
        case .appRevoked: Phrase("App removed", ja: "アプリの許可を解除")
        case .webhookCreated: Phrase("Webhook added", ja: "ウェブフックを追加")
        case .webhookChanged: Phrase("Webhook changed", ja: "ウェブフックを変更")
        case .webhookDeleted: Phrase("Webhook deleted", ja: "ウェブフックを削除")
        case .accountConnected: Phrase("Account connected", ja: "アカウントを接続")
        case .accountReconnected: Phrase("Account reconnected", ja: "アカウントを再接続")
        case .accountDisconnected: Phrase("Account disconnected", ja: "アカウントの接続を解除")
        case .serviceKeysSet: Phrase("Service keys saved", ja: "サービスのキーを保存")
        case .serviceKeysRemoved: Phrase("Service keys deleted", ja: "サービスのキーを削除")
        case .servicesChosen: Phrase("Services chosen", ja: "利用できるサービスを変更")
        case .sealingKeyRotated: Phrase("Encryption key rotated", ja: "暗号鍵を更新")
        case .exportDownloaded: Phrase("Data exported", ja: "データを書き出し")
        case .importStarted: Phrase("Import started", ja: "インポートを開始")
        case .reportDecided: Phrase("Report decided", ja: "通報に対応")
        }
    }
}

extension MarkedPhrase {
    /// A thing and its owner, each marked.
    static func audited(_ thing: HTML, of owner: HTML) -> MarkedPhrase {
        MarkedPhrase("\(thing) of \(owner)", ja: "\(owner)の\(thing)")
    }
}
