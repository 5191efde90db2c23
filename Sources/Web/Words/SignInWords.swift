internal import Domain

/// What the pages of those who come in say: signing in and out, invitations, passwords. Names of users are small Latin
/// letters, digits, `-` and `_`, so they stand in a sentence as they are.
extension Phrase {
    static let signIn = Phrase("Sign in", ja: "ログイン")
    static let signOut = Phrase("Sign out", ja: "ログアウト")
    static let userName = Phrase("User name", ja: "ユーザー名")
    static let password = Phrase("Password", ja: "パスワード")
    static let noPasswordYet = Phrase(
        "No password yet, or a forgotten one? Ask an admin of this Pics.",
        ja: "パスワードがない、または忘れた場合は、このPicsの管理者にお問い合わせください。")
    static let loginDoesNotFit = Phrase(
        "This name and password do not fit together.", ja: "ユーザー名またはパスワードが違います。")
    static func signedInAs(_ name: String) -> Phrase {
        Phrase("You are signed in as \(name).", ja: "\(name) としてログインしています。")
    }

    static let backToSettings = Phrase("Back to the settings", ja: "設定に戻る")

    /// After too many wrong passwords.
    static func tooManyWrong(_ pause: Duration?) -> Phrase {
        let seconds = max(1, pause?.components.seconds ?? 0)
        let wait =
            seconds < 90
            ? Phrase("Wait \(seconds) seconds.", ja: "\(seconds)秒後にもう一度お試しください。")
            : Phrase("Wait \((seconds + 59) / 60) minutes.", ja: "\((seconds + 59) / 60)分後にもう一度お試しください。")
        return Phrase(
            "Too many wrong passwords. Nothing was compared. \(wait.english)",
            ja: "パスワードの間違いが続いたため、照合を中止しました。\(wait.japanese)")
    }
}

/// Invitations, as whom they invite sees them.
extension Phrase {
    static let join = Phrase("Join", ja: "参加する")
    static let youAreInvited = Phrase("You are invited", ja: "招待が届いています")
    static let nameForm = Phrase("Small letters, digits, - and _.", ja: "半角の英小文字、数字、-、_ が使えます。")
    static let wrongName = Phrase(
        "A user's name has 1 to 32 small letters, digits, - or _.",
        ja: "ユーザー名は半角の英小文字・数字・-・_ で、1〜32文字にしてください。")

    /// By nobody: from the terminal.
    static func invitedBy(_ name: String?) -> Phrase {
        guard let name else { return Phrase("You may keep your photos here.", ja: "ここに写真を保存できます。") }
        return Phrase(
            "\(name) invites you to keep your photos here.", ja: "\(name)さんから招待されました。ここに写真を保存できます。")
    }

    static func nameTaken(_ name: String) -> Phrase {
        Phrase("There is a user \(name) already.", ja: "ユーザー名 \(name) はすでに使われています。")
    }
}

/// New passwords.
extension Phrase {
    static let sameAgain = Phrase("The same again", ja: "確認のためもう一度")
    static let newPasswordHint = Phrase(
        "At least \(Password.minimumCount) characters. A few words that nobody else would put together are good.",
        ja: "\(Password.minimumCount)文字以上。ほかの人が思いつかない単語の組み合わせがおすすめです。")
    static let passwordsDiffer = Phrase("The two passwords are not the same.", ja: "2つのパスワードが一致しません。")
    static let passwordLength = Phrase(
        "A password has at least \(Password.minimumCount) characters, and at most 1,024 bytes.",
        ja: "パスワードは\(Password.minimumCount)文字以上、1,024バイト以内にしてください。")
}

extension MarkedPhrase {
    static func nameWillBe(_ name: String) -> MarkedPhrase {
        MarkedPhrase(
            "Your user name will be <strong>\(name)</strong>.", ja: "ユーザー名は <strong>\(name)</strong> になります。")
    }
}
