internal import Domain

/// What the settings say of webhooks.
extension Phrase {
    static let webhooks = Phrase("Webhooks", ja: "ウェブフック")
    static let webhooksExplained = Phrase(
        "Pics tells these addresses what becomes of your photos at the services. Every message is signed.",
        ja: "写真の投稿状況を、次のアドレスに通知します。通知には署名が付きます。")
    static let noWebhooks = Phrase("There is none.", ja: "ウェブフックはまだありません。")
    static let newWebhook = Phrase("New webhook", ja: "新しいウェブフック")
    static let address = Phrase("Address", ja: "アドレス")
    static let webhookAddressHint = Phrase(
        "Of a program that takes such messages, beginning with https://.",
        ja: "通知を受け取るプログラムのアドレス（例：https://example.org/pics）")
    static let addWebhook = Phrase("Add it", ja: "追加する")
    static let copySecretNow = Phrase(
        "The receiver knows by this secret that a message is from Pics. Copy it now: it is not shown again.",
        ja: "受信側は、この秘密鍵で通知がPicsからのものか確認します。今すぐコピーしてください。再び表示されることはありません。")
    static let tryIt = Phrase("Test", ja: "テスト")
    static let neverDelivered = Phrase("nothing was sent yet", ja: "通知はまだありません")

    static let webhookAnswers = Phrase("The receiver has taken the test.", ja: "テスト通知が受信されました。")
    static let webhookIsPaused = Phrase("The webhook is held back.", ja: "通知を一時停止しました。")
    static let webhookGoesOn = Phrase("The webhook goes on.", ja: "通知を再開しました。")
    static let webhookIsDeleted = Phrase("The webhook was deleted.", ja: "ウェブフックを削除しました。")
    static let webhookNeedsTLS = Phrase(
        "The address must begin with https://.", ja: "https://example.org/pics のように、暗号化されたアドレスを入力してください。")
    static let webhookNeedsAddress = Phrase(
        "This is no address such as https://example.org/pics, without a user name and a #.",
        ja: "https://example.org/pics のようなアドレスを入力してください。ユーザー名と # は使えません。")
    static let tooManyWebhooks = Phrase(
        "You have as many webhooks as one may have.", ja: "ウェブフックの数が上限に達しています。")

    /// A button's label for those who do not see what is beside it.
    static func webhookAction(_ action: Phrase, _ url: String) -> Phrase {
        Phrase("\(action.english) \(url)", ja: "\(action.japanese) \(url)")
    }

    static func webhookState(_ state: Webhook.State) -> Phrase {
        switch state {
        case .active: Phrase("active", ja: "有効")
        case .paused: Phrase("paused", ja: "一時停止中")
        case .disabled: Phrase("given up", ja: "停止済み")
        }
    }

    static func webhookProblem(_ problem: WebhookProblem) -> Phrase {
        let japanese =
            switch problem {
            case .unreachable: "アドレスに接続できません。"
            case .unanswered: "時間内に応答がありませんでした。"
            case .privateAddress: "公開されていないアドレスには送れません。"
            case .longAnswer: "応答が長すぎます。"
            case .lostSecret: "秘密鍵を開けません。削除して作り直してください。"
            case .status(410): "受信側が410を返し、通知を拒否しました。"
            case .status(let code) where (300..<400).contains(code): "受信側が\(code)を返しました。転送先には送りません。"
            case .status(let code): "受信側が\(code)を返しました。"
            }
        return Phrase(problem.sentence, ja: japanese)
    }
}

/// Around a moment, which is an element of its own.
extension MarkedPhrase {
    static func delivered(_ moment: HTML) -> MarkedPhrase {
        MarkedPhrase("sent last \(moment)", ja: "最終通知 \(moment)")
    }

    static func triedAgain(_ moment: HTML) -> MarkedPhrase {
        MarkedPhrase("It is sent again \(moment).", ja: "再送予定 \(moment)")
    }
}
