internal import Domain
package import Push
internal import Store

/// Words of the settings of notifications.
extension Phrase {
    static let notifications = Phrase("Notifications", ja: "通知")
    static let notificationsExplained = Phrase(
        "Your browsers tell you what needs you, also while Pics is closed. What they show is encrypted from Pics to the browser; the push service of the browser's maker only learns that something was sent, and when.",
        ja: "Picsを開いていなくても、対応が必要なことをブラウザーでお知らせします。内容はPicsからブラウザーまで暗号化されます。ブラウザーの提供元のプッシュサービスには、送信の有無と時刻だけが伝わります。")
    static let thisDevice = Phrase("This browser", ja: "このブラウザー")
    static let turnOn = Phrase("Turn on notifications", ja: "通知をオンにする")
    static let turnOff = Phrase("Turn off", ja: "オフにする")
    static let notificationsNeedScript = Phrase(
        "Turning notifications on needs JavaScript.", ja: "通知をオンにするにはJavaScriptが必要です。")
    static let notificationsNeedTLS = Phrase(
        "Notifications need HTTPS. Ask your admin to set up a certificate, or open Pics at its https:// address.",
        ja: "通知にはHTTPSが必要です。管理者に証明書の設定を依頼するか、https:// のアドレスで開いてください。")
    static let notificationsUnsupported = Phrase(
        "This browser cannot receive notifications.", ja: "このブラウザーは通知を受け取れません。")
    static let notificationsNeedHomeScreen = Phrase(
        "On iPhone and iPad, notifications work once Pics is on the home screen: Share, Add to Home Screen, then open it there.",
        ja: "iPhoneとiPadでは、ホーム画面に追加したPicsで通知を受け取れます。共有メニューの「ホーム画面に追加」で追加し、そこから開いてください。")
    static let notificationsDenied = Phrase(
        "Notifications of this site are blocked. Allow them in the browser's settings, then reload this page.",
        ja: "このサイトの通知はブロックされています。ブラウザーの設定で許可してから、ページを再読み込みしてください。")
    static let notificationsAreOff = Phrase("Notifications are off here.", ja: "通知はオフです。")
    static let notificationsAreOn = Phrase("Notifications are on here.", ja: "通知はオンです。")
    static let notificationsFailed = Phrase(
        "The browser could not turn notifications on. Retry when it is online.",
        ja: "通知をオンにできませんでした。オンラインのときにもう一度お試しください。")
    static let yourDevices = Phrase("Browsers with notifications", ja: "通知がオンのブラウザー")
    static let noDevices = Phrase("None yet.", ja: "まだありません。")
    static let deviceRemoved = Phrase("Browser removed.", ja: "ブラウザーを削除しました。")
    static let testSent = Phrase("Test sent.", ja: "テスト通知を送信しました。")
    static let removeDevice = Phrase("Remove", ja: "削除")
    static let tellAbout = Phrase("Notify about", ja: "通知する内容")
    static let pushStopped = Phrase(
        "Stopped after repeated failures. Turn notifications on again in that browser.",
        ja: "失敗が続いたため停止しました。そのブラウザーで通知をもう一度オンにしてください。")

    static let pushServiceNotAllowed = Phrase(
        "This browser's push service is not allowed here. Ask your admin to add its host to push_hosts.",
        ja: "このブラウザーのプッシュサービスは許可されていません。管理者にpush_hostsへの追加を依頼してください。")
    static let pushKeysUnreadable = Phrase(
        "The browser's keys could not be read.", ja: "ブラウザーの鍵を読み取れませんでした。")
    static let tooManyDevices = Phrase(
        "You have reached the limit of browsers. Remove one first.", ja: "ブラウザーの数が上限に達しています。先に1つ削除してください。")
    static let endpointTaken = Phrase(
        "This address belongs to another browser.", ja: "このアドレスは別のブラウザーのものです。")

    static func pushKind(_ kind: PushKind) -> Phrase {
        switch kind {
        case .posts: Phrase("Failed posts, and posts whose outcome is unknown", ja: "失敗した投稿と、結果が不明な投稿")
        case .logins: Phrase("Accounts to reconnect", ja: "再接続が必要なアカウント")
        case .likes: Phrase("New likes", ja: "新しいいいね")
        case .responses: Phrase("Replies and mentions", ja: "返信と言及")
        case .reports: Phrase("Reports of photos", ja: "写真の通報")
        }
    }

    /// A button's label for those who do not see what is beside it.
    static func deviceAction(_ action: Phrase, _ device: Phrase) -> Phrase {
        Phrase("\(action.english): \(device.english)", ja: "\(action.japanese)：\(device.japanese)")
    }

    static func pushThrough(_ host: String) -> Phrase { Phrase("through \(host)", ja: "経由 \(host)") }

    static func pushProblem(_ problem: PushProblem) -> Phrase {
        switch problem {
        case .unreachable: Phrase("The push service did not respond.", ja: "プッシュサービスから応答がありませんでした。")
        case .privateAddress:
            Phrase("The push service is not at a public address.", ja: "プッシュサービスのアドレスは公開されていません。")
        case .notAllowed: pushServiceNotAllowed
        case .lostSecret:
            Phrase(
                "Its keys cannot be opened here. Turn notifications on again in that browser.",
                ja: "鍵を開けません。そのブラウザーで通知をもう一度オンにしてください。")
        case .status(let code) where problem.isGone:
            Phrase(
                "The push service no longer knows this browser (HTTP \(code)).",
                ja: "プッシュサービスにこのブラウザーが登録されていません（HTTP \(code)）。")
        case .status(let code):
            Phrase("The push service refused the message (HTTP \(code)).", ja: "プッシュサービスが通知を拒否しました（HTTP \(code)）。")
        }
    }
}

/// Around a moment, which is an element of its own.
extension MarkedPhrase {
    static func notifiedLast(_ moment: HTML) -> MarkedPhrase {
        MarkedPhrase("notified last \(moment)", ja: "最終通知 \(moment)")
    }
}

/// What a browser shows while no page is open.
package struct NotificationWords: Sendable {
    private let serviceName: @Sendable (String) -> String

    /// `serviceName` is the name of a service for people, by its identifier.
    package init(serviceName: @escaping @Sendable (String) -> String) { self.serviceName = serviceName }

    /// The words of a notice in the language with this tag, else in English.
    package func callAsFunction(_ notice: PushNotice, _ language: String) -> PushText {
        let say = Language(rawValue: language) ?? .english
        let (title, body, path) = words(notice)
        return PushText(
            title: say(title), body: body.map { say($0) }.filter { !$0.isEmpty }.joined(separator: " "), path: path)
    }

    private func words(_ notice: PushNotice) -> (Phrase, [Phrase], String) {
        switch notice {
        case .post(let submission, let photo):
            let service = serviceName(submission.service)
            let title =
                submission.state == .unknown
                ? Phrase("Outcome unknown: \(service)", ja: "投稿の結果が不明です：\(service)")
                : Phrase("Post failed: \(service)", ja: "投稿できませんでした：\(service)")
            let problem = submission.problem.map { [Phrase($0)] } ?? []
            return (title, problem + [quoted(photo.caption)], "/\(photo.code)#tools")
        case .posts(let count):
            return (
                Phrase("\(count) posts need attention", ja: "\(count)件の投稿に対応が必要です"), [], "/activity"
            )
        case .login(let service, let account):
            return (
                Phrase("Reconnect \(serviceName(service))", ja: "\(serviceName(service))の再接続が必要です"),
                [
                    Phrase(
                        "The login of \(account) is no longer valid. Posts wait until you reconnect the account.",
                        ja: "\(account)のログインが無効になりました。再接続するまで投稿は待機します。")
                ], "/settings/connections"
            )
        case .logins(let count):
            return (
                Phrase("Reconnect \(count) accounts", ja: "\(count)件のアカウントの再接続が必要です"),
                [Phrase("Posts wait until you reconnect them.", ja: "再接続するまで投稿は待機します。")],
                "/settings/connections"
            )
        case .response(let photo, let count):
            return (
                Phrase(count == 1 ? "1 new response" : "\(count) new responses", ja: "新しい反応 \(count)件"),
                [quoted(photo.caption)],
                "/\(photo.code)#responses"
            )
        case .responses(let photos):
            return (
                Phrase("Responses to \(photos) photos", ja: "\(photos)枚の写真に反応がありました"), [], "/activity/responses"
            )
        case .report(let code):
            return (
                Phrase("A photo was reported", ja: "写真が通報されました"), [Phrase(same: code.description)],
                PageHandlers.reportsPath
            )
        case .reports(let photos):
            return (
                Phrase("\(photos) photos were reported", ja: "\(photos)枚の写真が通報されました"), [], PageHandlers.reportsPath
            )
        case .like(let photo):
            let people = photo.people
            return (
                Phrase(
                    people == 1 ? "1 person likes your photo" : "\(people) people like your photo",
                    ja: "\(people)人が写真にいいねしました"), [quoted(photo.caption)], "/\(photo.code)"
            )
        case .likes(let count):
            return (Phrase("New likes on \(count) photos", ja: "\(count)枚の写真に新しいいいね"), [], "/")
        case .test:
            return (
                Phrase("Notifications work", ja: "通知のテスト"),
                [Phrase("This is a test from Pics.", ja: "Picsからの通知を受信できています。")],
                PageHandlers.notificationsPath
            )
        }
    }

    /// The first words of a caption; empty without one.
    private func quoted(_ caption: String) -> Phrase {
        let title = PhotoTitle.of(caption)
        return title.isEmpty ? Phrase(same: "") : Phrase("“\(title)”", ja: "「\(title)」")
    }
}
