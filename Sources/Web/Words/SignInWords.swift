internal import Domain

/// Words of the sign-in pages: signing in and out, invitations, passwords. Names of users are small Latin
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
        "Wrong user name or password.", ja: "ユーザー名またはパスワードが違います。")
    static func signedInAs(_ name: String) -> Phrase {
        Phrase("You are signed in as \(name).", ja: "\(name) としてログインしています。")
    }

    static let signInToSee = Phrase("Sign in to see a private photo", ja: "ログインすると非公開の写真を見られます")
    static let toHome = Phrase("Home", ja: "ホーム")
    static let backToSettings = Phrase("Back to the settings", ja: "設定に戻る")

    /// After too many wrong passwords, codes or passkeys, where a form takes more than one of them.
    static func tooManyAttempts(_ pause: Duration?) -> Phrase {
        let wait = retryIn(pause ?? .zero)
        return Phrase("Too many attempts. \(wait.english)", ja: "試行回数が多すぎます。\(wait.japanese)")
    }

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
    static let nameForm = Phrase("Lowercase letters, digits, - and _.", ja: "半角の英小文字、数字、-、_ が使えます。")
    static let wrongName = Phrase(
        "A user name has 1 to 32 lowercase letters, digits, - or _.",
        ja: "ユーザー名は半角の英小文字・数字・-・_ で、1〜32文字にしてください。")

    /// By nobody: from the terminal.
    static func invitedBy(_ name: String?) -> Phrase {
        guard let name else { return Phrase("You can store your photos here.", ja: "ここに写真を保存できます。") }
        return Phrase(
            "\(name) invites you to store your photos here.", ja: "\(name)さんから招待されました。ここに写真を保存できます。")
    }

    static func nameTaken(_ name: String) -> Phrase {
        Phrase("The user name \(name) is taken.", ja: "ユーザー名 \(name) はすでに使われています。")
    }
}

/// New passwords.
extension Phrase {
    static let sameAgain = Phrase("Repeat the password", ja: "確認のためもう一度")
    static let newPasswordHint = Phrase(
        "At least \(Password.minimumCount) characters. A few words that nobody else would put together are good.",
        ja: "\(Password.minimumCount)文字以上。ほかの人が思いつかない単語の組み合わせがおすすめです。")
    static let passwordsDiffer = Phrase("The passwords do not match.", ja: "2つのパスワードが一致しません。")
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

/// Words of the page of all users.
extension Phrase {
    static let people = Phrase("People", ja: "メンバー")
    static let invitations = Phrase("Invitations", ja: "招待")
    static let invite = Phrase("Invite", ja: "招待する")
    static let admin = Phrase("admin", ja: "管理者")
    static let cannotSignIn = Phrase(
        "no password: cannot sign in here", ja: "パスワード未設定のためログインできません")
    static let makeAdmin = Phrase("Make admin", ja: "管理者にする")
    static let makeNoAdmin = Phrase("Remove admin", ja: "管理者から外す")
    static let delete = Phrase("Delete", ja: "削除")
    static let nameOfInvited = Phrase(
        "Lowercase letters, digits, - and _. Leave it empty to let the invited person choose.",
        ja: "半角の英小文字、数字、-、_ が使えます。空欄にすると、招待された人が決めます。")
    static let becomesAdmin = Phrase("Invite as an admin", ja: "管理者として招待する")
    static let takeBack = Phrase("Revoke", ja: "取り消す")
    static let whoChooses = Phrase("somebody who chooses a name", ja: "ユーザー名は本人が決定")
    static let asAdmin = Phrase("as an admin", ja: "管理者として")
    static let byTerminal = Phrase("at the terminal", ja: "端末から招待")
    static let sendInvitation = Phrase(
        "Send it to the invited person now: it is not shown again. It can be used once.",
        ja: "今すぐ招待する人に送ってください。再び表示されることはなく、一度だけ使えます。")

    static let invitationWasTakenBack = Phrase("Invitation revoked.", ja: "招待を取り消しました。")
    static let isAdminNow = Phrase("The user is an admin now.", ja: "管理者にしました。")
    static let isAdminNoMore = Phrase(
        "Admin removed; the user's admin tokens are revoked.",
        ja: "管理者から外し、管理用トークンを無効にしました。")
    static let oneAdminStays = Phrase(
        "One admin has to remain. Make another user an admin first.", ja: "管理者が1人は必要です。先に別の人を管理者にしてください。")

    static let inviteAdmin = Phrase("Invite an admin", ja: "管理者を招待する")
    static let enterPasswordFirst = Phrase(
        "You signed in a while ago. Enter your password to go on.", ja: "ログインから時間がたっています。続けるにはパスワードを入力してください。")

    /// For whoever chooses a name, where `name` is empty.
    static func invitationFor(_ name: String) -> Phrase {
        name.isEmpty
            ? Phrase("An invitation", ja: "招待") : Phrase("An invitation for \(name)", ja: "\(name)さんへの招待")
    }

    static func invitationBy(_ name: String) -> Phrase { Phrase("by \(name)", ja: "\(name)さんが招待") }

    static func makeAdmin(_ name: String) -> Phrase {
        Phrase("Make \(name) an admin", ja: "\(name)さんを管理者にする")
    }

    static func makeNoAdmin(_ name: String) -> Phrase {
        Phrase("Remove \(name) as admin", ja: "\(name)さんを管理者から外す")
    }

    static func delete(_ name: String) -> Phrase { Phrase("Delete \(name)", ja: "\(name)さんを削除") }
}

/// The end of somebody's account, by an admin.
extension Phrase {
    static let deletePersonExplained = Phrase(
        "All photos of the user are deleted, and their links say so. Waiting photos are not sent; published posts stay. Accounts are disconnected, apps and browsers signed out. This cannot be undone.",
        ja: "すべての写真が削除され、リンクには削除済みと表示されます。待機中の投稿は送られません。他のサービスに投稿済みのものは残ります。アカウントの接続は解除され、アプリとブラウザーはログアウトします。元に戻せません。")
    static let deletePersonForEver = Phrase("Delete the account forever", ja: "アカウントを完全に削除する")
    static let personWasDeleted = Phrase("The account and its photos are deleted.", ja: "アカウントと写真を削除しました。")

    static func deleteUser(_ name: String) -> Phrase { Phrase("Delete \(name)?", ja: "\(name)さんを削除しますか？") }
}
