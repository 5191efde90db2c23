internal import Domain
package import Notices
internal import Push
internal import Store

/// The words of mails.
package struct MailNoticeWords: Sendable {
    /// Posts, accounts and responses are told as browsers are.
    private let notices: NotificationWords

    /// `serviceName` is the name of a service for people, by its identifier.
    package init(serviceName: @escaping @Sendable (String) -> String) {
        notices = NotificationWords(serviceName: serviceName)
    }

    /// The words of a notice in the language with this tag, else in English; `base` is the address of Pics.
    package func callAsFunction(_ notice: MailNotice, _ language: String, _ base: String) -> MailText {
        let say = Language(rawValue: language) ?? .english
        let words = words(notice, language, base, say)
        return MailText(
            subject: say(words.subject), paragraphs: words.paragraphs.map { say($0) }, items: words.items,
            footer: say(words.why), unsubscribe: say(.unsubscribe))
    }

    private struct Words {
        let subject: Phrase
        var paragraphs: [Phrase] = []
        var items: [MailText.Item] = []
        let why: Phrase
    }

    private func words(_ notice: MailNotice, _ language: String, _ base: String, _ say: Language) -> Words {
        let chosen = Phrase(
            "You chose these mails in the settings of \(base).", ja: "\(base) の設定で選んだお知らせです。")
        switch notice {
        case .invitation(let inviter, let name, let link):
            let named = name.map { [Phrase("Your user name will be \($0).", ja: "ユーザー名は \($0) になります。")] } ?? []
            return Words(
                subject: inviter.map {
                    Phrase("\($0) invites you to Pics", ja: "\($0)さんからPicsへの招待が届いています")
                } ?? Phrase("You are invited to Pics", ja: "Picsへの招待が届いています"),
                paragraphs: [.invitedBy(inviter)] + named,
                items: [MailText.Item(title: say(.join), body: "", url: link)],
                why: Phrase(
                    "Somebody at \(base) entered this address. The link works once. Ignore this mail if you do not expect it.",
                    ja: "\(base) でこのアドレスが入力されました。リンクは1回だけ使えます。心当たりがない場合は、このメールを無視してください。"))
        case .reset(let links):
            return Words(
                subject: Phrase("Choose a new password", ja: "パスワードの再設定"),
                paragraphs: [
                    Phrase(
                        "Somebody asked for a new password. The link is valid for an hour and works once.",
                        ja: "パスワードの再設定が求められました。リンクは1時間有効で、1回だけ使えます。")
                ],
                items: links.map { user, link in
                    MailText.Item(
                        title: say(Phrase("New password for \(user)", ja: "\(user) さんの新しいパスワード")), body: "",
                        url: link)
                },
                why: Phrase(
                    "Ignore this mail if it was not you; your password stays as it is. Sent by \(base).",
                    ja: "心当たりがない場合は、このメールを無視してください。パスワードは変わりません。送信元：\(base)"))
        case .confirmation(let user, let link):
            return Words(
                subject: Phrase("Confirm your mail address", ja: "メールアドレスの確認"),
                paragraphs: [
                    Phrase(
                        "The user \(user) entered this address for notices from Pics. The link is valid for a day.",
                        ja: "ユーザー \(user) さんが、Picsからのお知らせ先としてこのアドレスを入力しました。リンクは1日有効です。")
                ], items: [MailText.Item(title: say(.confirmAddress), body: "", url: link)],
                why: Phrase(
                    "Ignore this mail if it was not you; nothing else is sent here. Sent by \(base).",
                    ja: "心当たりがない場合は、このメールを無視してください。これ以上のメールは届きません。送信元：\(base)"))
        case .attention(let troubles):
            let items = troubles.map { item(Self.notice($0), language, base) }
            let subject =
                items.count == 1
                ? Phrase(same: items[0].title)
                : Phrase("\(items.count) things need your attention", ja: "\(items.count)件の対応が必要です")
            return Words(subject: subject, items: items, why: chosen)
        case .digest(let photos):
            let count = photos.reduce(0) { $0 + $1.count }
            return Words(
                subject: Phrase(count == 1 ? "1 new response" : "\(count) new responses", ja: "新しい反応 \(count)件"),
                items: photos.map { item(.response($0.photo, count: $0.count), language, base) }, why: chosen)
        case .test:
            return Words(
                subject: Phrase("Test mail from Pics", ja: "Picsからのテストメール"),
                paragraphs: [Phrase("Mail from Pics arrives here.", ja: "Picsからのメールを受信できています。")],
                why: Phrase("An admin of \(base) sent it.", ja: "\(base) の管理者が送信しました。"))
        }
    }

    private static func notice(_ trouble: MailNotice.Trouble) -> PushNotice {
        switch trouble {
        case .post(let submission, let photo): .post(submission, photo)
        case .login(let service, let account): .login(service: service, account: account)
        case .report(let code): .report(code)
        }
    }

    private func item(_ notice: PushNotice, _ language: String, _ base: String) -> MailText.Item {
        let text = notices(notice, language)
        return MailText.Item(title: text.title, body: text.body, url: base + text.path)
    }
}
