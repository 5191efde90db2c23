/// Words of passkeys.
extension Phrase {
    static let passkeys = Phrase("Passkeys", ja: "パスキー")
    static let passkeysExplained = Phrase(
        "Sign in with your fingerprint, your face, a PIN or a security key, without a password.",
        ja: "指紋、顔、PIN、セキュリティキーで、パスワードなしでログインできます。")
    static let noPasskeys = Phrase("None yet.", ja: "パスキーはまだありません。")
    static let addPasskey = Phrase("Add a passkey", ja: "パスキーを追加する")
    static let passkeyNameHint = Phrase("Where it is, such as your phone.", ja: "保存場所がわかる名前（例：自分のスマートフォン）")
    static let passkeyNeedsName = Phrase(
        "A passkey needs a name of at most 64 characters.", ja: "パスキーの名前は64文字以内で入力してください。")
    static let passkeyAdded = Phrase("Passkey added.", ja: "パスキーを追加しました。")
    static let passkeyRemoved = Phrase(
        "Passkey removed. Your device may still show it; delete it there, too.",
        ja: "パスキーを削除しました。端末に残っている場合は、端末からも削除してください。")
    static let removePasskey = Phrase("Remove", ja: "削除する")
    static let passkeyFailed = Phrase("Failed. Retry.", ja: "失敗しました。もう一度お試しください。")
    static let passkeyKnown = Phrase("This device already has a passkey for Pics.", ja: "この端末のパスキーはすでに登録されています。")
    static let tooManyPasskeys = Phrase("Too many passkeys. Remove one first.", ja: "パスキーが多すぎます。先に1つ削除してください。")
    static let passkeysNeedScript = Phrase("Adding a passkey needs JavaScript.", ja: "パスキーの追加にはJavaScriptが必要です。")
    static let passkeysNeedHTTPS = Phrase(
        "Passkeys need HTTPS and a host name.", ja: "パスキーの利用には、HTTPSとホスト名が必要です。")
    static let passkeysNeedBase = Phrase(
        "Passkeys need HTTPS and a host name: set base_url.",
        ja: "パスキーの利用には、HTTPSとホスト名が必要です。base_url を設定してください。")
    static let noPasskeysHere = Phrase(
        "This browser has no passkeys, or the page was not opened over HTTPS.",
        ja: "このブラウザーはパスキーに対応していないか、HTTPSで接続されていません。")
    static let signInWithPasskey = Phrase("Sign in with a passkey", ja: "パスキーでログイン")
    static let passkeyRefused = Phrase(
        "The passkey was refused. Retry, or sign in with your password.",
        ja: "パスキーを確認できませんでした。もう一度お試しになるか、パスワードでログインしてください。")

    static func removePasskey(_ name: String) -> Phrase {
        Phrase("Remove the passkey \(name)", ja: "パスキー「\(name)」を削除する")
    }
}
