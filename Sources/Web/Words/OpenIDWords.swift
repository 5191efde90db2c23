/// Words of signing in by an issuer of OpenID Connect, which the operator has named.
extension Phrase {
    static func signInWith(_ name: String) -> Phrase { Phrase("Sign in with \(name)", ja: "\(name)でログイン") }

    static func identitiesExplained(_ name: String) -> Phrase {
        Phrase(
            "Sign in with your account at \(name), without a password here.",
            ja: "\(name)のアカウントで、ここのパスワードなしでログインできます。")
    }

    static func linkIdentity(_ name: String) -> Phrase { Phrase("Link \(name)", ja: "\(name)と連携する") }
    static func signInAtIssuer(_ name: String) -> Phrase {
        Phrase(
            "Sign in at \(name) with the account that you want to link.", ja: "連携するアカウントで\(name)にログインしてください。")
    }

    static let noIdentities = Phrase("None linked.", ja: "連携しているアカウントはありません。")
    static let unlinkIdentity = Phrase("Unlink", ja: "連携を解除する")
    static let identityLinked = Phrase("Linked.", ja: "連携しました。")
    static let identityUnlinked = Phrase("Unlinked.", ja: "連携を解除しました。")
    static let identityTaken = Phrase(
        "This account is linked already, with you or another user.", ja: "このアカウントは、あなたか別のユーザーとすでに連携されています。")
    static let lastWayToSignIn = Phrase(
        "This is the only way for you to sign in. Set a password or add a passkey first.",
        ja: "ほかにログインする方法がありません。先にパスワードを設定するか、パスキーを追加してください。")

    static func identityUnknown(_ label: String) -> Phrase {
        Phrase("\(label) is not linked with a user here.", ja: "\(label) は、ここのユーザーと連携されていません。")
    }
    static let linkIdentityFirst = Phrase(
        "Sign in with your password, then link it in the settings. Without an account here, ask an admin for an invitation.",
        ja: "パスワードでログインし、設定で連携してください。アカウントがない場合は、管理者に招待を依頼してください。")
    static let openIDNotEnded = Phrase(
        "The sign-in took too long, or was started in another tab or browser. Retry.",
        ja: "時間切れになったか、別のタブまたはブラウザーで開始されました。もう一度お試しください。")
    static let openIDCancelled = Phrase(
        "Cancelled, or refused by the sign-in service.", ja: "キャンセルされたか、ログインサービスに拒否されました。")
    static let issuerNotUsed = Phrase("no longer used", ja: "現在は使用されていません")
    static let issuerUnavailable = Phrase(
        "The sign-in service does not answer. Retry later.", ja: "ログインサービスが応答しません。しばらくしてからもう一度お試しください。")
    static let openIDFailed = Phrase(
        "The answer of the sign-in service was refused. If it happens again, tell an admin.",
        ja: "ログインサービスの応答を受け付けられませんでした。繰り返す場合は、管理者にお知らせください。")

    static let signInAgain = Phrase(
        "You have no password here. Sign out, and sign in again to do this.",
        ja: "パスワードが設定されていません。続けるには、一度ログアウトしてログインし直してください。")
}
