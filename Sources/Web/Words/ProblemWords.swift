internal import HTTP

/// Words of error pages, by the status of the response.
extension Phrase {
    /// A title and a sentence for a status. In English, problems have better ones of their own as a rule.
    static func problem(_ status: HTTPStatus) -> (title: Phrase, sentence: Phrase) {
        switch status.code {
        case 403:
            (
                Phrase("Access denied", ja: "アクセスできません"),
                Phrase("You may not do this.", ja: "この操作を行う権限がありません。")
            )
        case 404:
            (
                Phrase("Page not found", ja: "見つかりません"),
                Phrase(
                    "The link may be mistyped, or the page may not be public.",
                    ja: "リンクが間違っているか、公開されていない可能性があります。")
            )
        case 409, 412:
            (
                Phrase("It has changed", ja: "内容が変わりました"),
                Phrase("Load the page again and repeat what you did.", ja: "ページを再読み込みして、もう一度お試しください。")
            )
        case 410:
            (
                Phrase("No longer available", ja: "削除されました"),
                Phrase("This photo was deleted.", ja: "この写真は削除されました。")
            )
        case 413:
            (
                Phrase("Too large", ja: "大きすぎます"),
                Phrase("Send less data.", ja: "送るデータを小さくしてください。")
            )
        case 421:
            (
                Phrase("This address is not served here", ja: "このアドレスでは表示できません"),
                Phrase(
                    "Open the address that was given to you for this site. If you run it, add this host to the setting hosts.",
                    ja: "このサイトの正しいアドレスを開いてください。運営者は、設定 hosts にこのホストを追加してください。")
            )
        case 429:
            (
                Phrase("Too many requests", ja: "アクセスが多すぎます"),
                Phrase("Try again in a while.", ja: "しばらくしてからもう一度お試しください。")
            )
        case 500...599:
            (
                Phrase("Something went wrong", ja: "問題が発生しました"),
                Phrase("It is not your fault. Try again soon.", ja: "しばらくしてからもう一度お試しください。")
            )
        default:
            (
                Phrase("Not possible", ja: "処理できませんでした"),
                Phrase("The request is not one that this page takes.", ja: "リクエストの内容をご確認ください。")
            )
        }
    }

    /// After a limit, in whole minutes.
    static func retryIn(_ pause: Duration) -> Phrase {
        let wait = minutes(pause)
        return Phrase("Try again in \(wait.english).", ja: "\(wait.count)分後にもう一度お試しください。")
    }

    /// A pause in whole minutes, at least one.
    static func minutes(_ pause: Duration) -> (count: Int64, english: String) {
        let count = max(1, (pause.components.seconds + 59) / 60)
        return (count, count == 1 ? "a minute" : "\(count) minutes")
    }

    static let tooManyAtDoor = Phrase("Too many sign-ins at once", ja: "ただいま混み合っています")
    static let tryInSeconds = Phrase("Try again in a few seconds.", ja: "数秒後にもう一度お試しください。")
    static let foreignForm = Phrase("Form sent from another site", ja: "このフォームは受け付けられません")
    static let foreignFormExplained = Phrase(
        "It came from another site, or from a page that was opened before you signed in or out. Go back, load the page again and repeat what you did. If that does not help, the operator should look at base_url and trusted_proxies.",
        ja:
            "別のサイトから送られたか、ログインまたはログアウトする前に開いたページから送られました。前のページに戻って再読み込みし、もう一度お試しください。解決しない場合は、運営者が base_url と trusted_proxies を確認する必要があります。"
    )
    static let unreadableForm = Phrase("The form cannot be read", ja: "フォームを読み取れません")
    static let sendAgain = Phrase("Go back and send it again.", ja: "前のページに戻って、もう一度送信してください。")
    static let adminsOnly = Phrase("This page is for admins", ja: "管理者専用のページです")
    static let askAdmin = Phrase("Ask an admin of this Pics.", ja: "このPicsの管理者にお問い合わせください。")
    static let endedInvitation = Phrase("Invitation no longer valid", ja: "この招待は無効です")
    static let askForInvitation = Phrase(
        "An invitation can be used once, and only for some days. Ask for a new one.",
        ja: "招待が使えるのは一度だけで、期限があります。新しい招待を依頼してください。")
}
