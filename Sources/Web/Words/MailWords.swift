internal import Domain

/// Words of the pages about mail.
extension Phrase {
    static let byMail = Phrase("By mail", ja: "メール")
    static func mailExplained(_ from: String) -> Phrase {
        Phrase(
            "Pics writes to you from \(from). With a confirmed address you can also choose a new password when you have forgotten yours.",
            ja: "\(from) からメールをお送りします。確認済みのアドレスがあれば、パスワードを忘れたときに再設定できます。")
    }
    static let mailAddress = Phrase("Mail address", ja: "メールアドレス")
    static func noticeKind(_ kind: NoticeAddress.Kind) -> Phrase {
        switch kind {
        case .posts: pushKind(.posts)
        case .logins: pushKind(.logins)
        case .reports: pushKind(.reports)
        }
    }
    static let digestOfResponses = Phrase("Replies and mentions, together", ja: "返信と言及のまとめ")
    static func digest(_ digest: NoticeAddress.Digest) -> Phrase {
        switch digest {
        case .none: Phrase("Never", ja: "受け取らない")
        case .daily: Phrase("Every day", ja: "毎日")
        case .weekly: Phrase("Every week", ja: "毎週")
        }
    }
    static let mailLanguage = Phrase("Mails are in the language of this page.", ja: "メールはこのページの言語で届きます。")
    static let mailWasChosen = Phrase("Saved.", ja: "保存しました。")
    static let mailWasAsked = Phrase(
        "Saved. Open the link in the mail that is on its way to confirm the address.",
        ja: "保存しました。お送りするメールのリンクを開いて、アドレスを確認してください。")
    static let mailWasRemoved = Phrase("Mail address removed.", ja: "メールアドレスを削除しました。")
    static let removeMailAddress = Phrase("Remove mail address", ja: "メールアドレスを削除")
    static let saveMailAddress = Phrase("Save mail address", ja: "メールアドレスを保存")
    static let mailAddressWrong = Phrase(
        "Enter a mail address such as alice@example.com.", ja: "alice@example.com のようなメールアドレスを入力してください。")
    static let mailAskedTooOften = Phrase(
        "A mail to confirm this address was sent a short time ago, or you have asked for five today. Retry later.",
        ja: "このアドレスには確認メールを送ったばかりか、本日の上限（5通）に達しています。しばらくしてからお試しください。")
    static let mailIsConfirmed = Phrase("Confirmed.", ja: "確認済みです。")
    static let mailIsNotConfirmed = Phrase(
        "Not confirmed yet. The link in the mail is valid for a day; save again for another one.",
        ja: "まだ確認されていません。メールのリンクは1日有効です。もう一度保存すると再送します。")
    static let mailIsLate = Phrase("The last mail could not be sent yet. Pics retries.", ja: "直近のメールを送信できていません。再試行します。")

    /// With what its server said.
    static func mailIsRefused(_ words: String?) -> Phrase {
        Phrase(
            "The mail server refused this address. Correct it, or save it again.",
            ja: "メールサーバーがこのアドレスを拒否しました。修正するか、もう一度保存してください。", told: words)
    }
    static let testMail = Phrase("Test mail", ja: "テストメール")
    static let sendTestMail = Phrase("Send test mail", ja: "テストメールを送信")
    static func testMailWasTaken(_ answer: String) -> Phrase {
        Phrase("The mail server accepted the test mail.", ja: "メールサーバーがテストメールを受け付けました。", told: answer)
    }
    static func testMailFailed(_ problem: Phrase, _ answer: String?) -> Phrase {
        Phrase(problem.english, ja: problem.japanese, told: answer ?? problem.told)
    }
    static let invitedAddress = Phrase("Mail the link to (optional)", ja: "リンクの送付先メールアドレス（任意）")
    static func invitationIsMailed(_ address: String) -> Phrase {
        Phrase("It is also mailed to \(address).", ja: "\(address) にもメールで送ります。")
    }
}

/// Words of the pages that links in mails open.
extension Phrase {
    static let confirmAddress = Phrase("Confirm mail address", ja: "メールアドレスの確認")
    static let confirm = Phrase("Confirm", ja: "確認する")
    static let addressIsConfirmed = Phrase("Mail address confirmed", ja: "メールアドレスを確認しました")
    static let linkHasEnded = Phrase("This link has expired", ja: "リンクの有効期限が切れています")
    static let askForAnother = Phrase(
        "Links from mails are valid for a limited time, and only the newest works.",
        ja: "メールのリンクには有効期限があり、最新のものだけが使えます。")
    static let unsubscribe = Phrase("Unsubscribe", ja: "配信停止")
    static let unsubscribed = Phrase("Unsubscribed", ja: "配信を停止しました")
    static func noMoreMail(_ address: String) -> Phrase {
        Phrase("Pics sends no more notices to \(address).", ja: "\(address) へのお知らせを停止しました。")
    }
    static func stopMail(_ address: String) -> Phrase {
        Phrase("Stop all notices to \(address)?", ja: "\(address) へのお知らせをすべて停止しますか？")
    }
    static let forgotPassword = Phrase("Forgot password?", ja: "パスワードを忘れた場合")
    static let nameOrAddress = Phrase("User name or mail address", ja: "ユーザー名またはメールアドレス")
    static let sendLink = Phrase("Send link", ja: "リンクを送信")
    static let linkIsSent = Phrase("Check your mail", ja: "メールをご確認ください")
    static let linkIsSentIfKnown = Phrase(
        "If that is a user with a confirmed mail address, a link to choose a new password is on its way. It is valid for an hour.",
        ja: "確認済みのメールアドレスを持つユーザーであれば、新しいパスワードを設定するリンクをお送りします。リンクは1時間有効です。")
    static let chooseNewPassword = Phrase("Choose a new password", ja: "新しいパスワードの設定")
    static func newPasswordOf(_ name: String) -> Phrase {
        Phrase("For \(name). All browsers are signed out.", ja: "\(name) さん。すべてのブラウザーがログアウトされます。")
    }
}

extension MarkedPhrase {
    static func addressOf(_ address: String, _ name: String) -> MarkedPhrase {
        MarkedPhrase(
            "Pics sends notices for the user <strong>\(name)</strong> to <bdi>\(address)</bdi>.",
            ja: "<strong>\(name)</strong> さんへのお知らせを <bdi>\(address)</bdi> に送ります。")
    }
}
