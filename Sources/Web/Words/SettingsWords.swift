internal import Domain

/// Words of the frame and the first page of the settings.
extension Phrase {
    static let settings = Phrase("Settings", ja: "設定")
    static let you = Phrase("General", ja: "基本設定")
    static let security = Phrase("Security", ja: "セキュリティ")
    static let keep = Phrase("Save", ja: "保存")

    static let youAreAdmin = Phrase(
        "You are an admin: you can invite people.", ja: "管理者として、ほかの人を招待できます。")
    static let timeZone = Phrase("Time zone", ja: "タイムゾーン")
    static let timeZoneHint = Phrase(
        "Dates on your pages, and day numbers in captions, follow this time zone.",
        ja: "ページの日付とキャプションの日数は、このタイムゾーンに従います。")
    static let noSuchZone = Phrase("Unknown time zone.", ja: "このタイムゾーンはありません。")
    static let presentPassword = Phrase("Current password", ja: "現在のパスワード")
    static let newPassword = Phrase("New password", ja: "新しいパスワード")
    static let changePassword = Phrase("Change the password", ja: "パスワードを変更する")
    static let othersAreSignedOut = Phrase(
        "All other browsers are signed out.",
        ja: "ほかのブラウザーはログアウトします。")
    static let presentPasswordIsWrong = Phrase("The current password is wrong.", ja: "現在のパスワードが違います。")

    static let zoneWasKept = Phrase(
        "Time zone changed.", ja: "タイムゾーンを変更しました。")
    static let browserIsIn = Phrase("Your browser's time zone:", ja: "ブラウザーのタイムゾーン：")
    static let useThisZone = Phrase("Use it", ja: "これを使う")
    static let addressAndToken = Phrase("The address and the token as a QR code", ja: "アドレスとトークンのQRコード")
    static let onIPhone = Phrase("iPhone: Shortcuts", ja: "iPhone：ショートカット")
    static let makeShortcut = Phrase(
        "In Shortcuts, create a shortcut that receives images and media from the share sheet.",
        ja: "「ショートカット」で、共有シートから画像とメディアを受け取るショートカットを作成します。")
    static let shortcutRequest = Phrase(
        "Add Get Contents of URL with the address and the header below, method POST, request body Form.",
        ja: "「URLの内容を取得」を追加し、下記のアドレスとヘッダ、方法POST、本文を要求「フォーム」を設定します。")
    static let onAndroid = Phrase("Android: HTTP Shortcuts, Tasker", ja: "Android：HTTP Shortcuts、Tasker")
    static let androidRequest = Phrase(
        "Create a request with the address and the header below, method POST, body multipart/form-data.",
        ja: "下記のアドレスとヘッダ、方法POST、本文multipart/form-dataのリクエストを作成します。")
    static let requestFields = Phrase(
        "Fields: photo is the shared file, caption the text.", ja: "フィールド：photoに共有したファイル、captionに本文を指定します。")
    static let signMyPictures = Phrase("Sign my pictures", ja: "写真に署名する")
    static let signatureName = Phrase("Name", ja: "名前")
    static let signatureHint = Phrase(
        "Written as the artist into public pictures and into copies sent to services. Leave it empty to write no name.",
        ja: "公開される写真と、サービスに送るコピーに撮影者として書き込みます。空欄にすると名前は書き込みません。")
    static let signatureIsTooLong = Phrase(
        "A name may have 100 characters, on one line.", ja: "名前は1行で100文字以内にしてください。")
    static let choiceWasKept = Phrase("Saved.", ja: "設定を保存しました。")
    static let passwordWasChanged = Phrase(
        "The password was changed. All other browsers were signed out.",
        ja: "パスワードを変更し、ほかのブラウザーからログアウトしました。")
}

/// Tokens of apps.
extension Phrase {
    static let apiTokens = Phrase("API tokens", ja: "APIトークン")
    static let tokensExplained = Phrase(
        "An app shows a token instead of your password. Every app gets its own.",
        ja: "アプリはパスワードの代わりにトークンを使います。アプリごとに作成してください。")
    static let noTokens = Phrase("None yet.", ja: "トークンはまだありません。")
    static let newToken = Phrase("New token", ja: "新しいトークン")
    static let name = Phrase("Name", ja: "名前")
    static let tokenNameHint = Phrase("What it is for, such as your phone.", ja: "用途がわかる名前（例：自分のスマートフォン）")
    static let itMay = Phrase("Permissions", ja: "できること")
    static let makeToken = Phrase("Create token", ja: "トークンを作成する")
    static let revoke = Phrase("Revoke", ja: "無効にする")
    static let revokeAllTokens = Phrase("Also revoke all API tokens", ja: "すべてのAPIトークンも無効にする")
    static let tokenWasRevoked = Phrase("Token revoked.", ja: "トークンを無効にしました。")
    static let tokenNeeds = Phrase(
        "A token needs a name and a choice of what it may do.", ja: "トークンの名前を入力し、できることを選んでください。")
    static let copyTokenNow = Phrase(
        "Copy it now: it is not shown again.", ja: "今すぐコピーしてください。再び表示されることはありません。")
    static let neverUsed = Phrase("never used", ja: "未使用")

    static let tokenEnds = Phrase("Valid for", ja: "有効期間")

    /// How long a token is good; nil: without an end.
    static func life(ofDays days: Int?) -> Phrase {
        switch days {
        case nil: Phrase("no end", ja: "無期限")
        case 365: Phrase("a year", ja: "1年")
        case let days?: Phrase("\(days) days", ja: "\(days)日")
        }
    }

    static let mayWrite = Phrase("read, post and change your photos", ja: "写真の閲覧・投稿・変更")
    static let mayRead = Phrase("only read your photos", ja: "写真の閲覧のみ")
    static let mayAll = Phrase(
        "do everything, and manage the queue of everybody", ja: "すべての操作と、全員の投稿キューの管理")

    static let mayReadMetrics = Phrase("only read the metrics of this Pics", ja: "メトリクスの取得のみ")

    static func tooManyTokens(_ limit: Int) -> Phrase {
        Phrase(
            "You have \(limit) tokens, counting those revoked in the last 24 hours. Revoke one you no longer use, and try again later.",
            ja: "トークンは\(limit)個までです（24時間以内に無効にしたものを含みます）。不要なものを無効にして、後でもう一度お試しください。")
    }

    /// The scopes of a token, in a word.
    static func scope(_ name: String) -> Phrase {
        switch name {
        case "read": Phrase("read", ja: "閲覧")
        case "write": Phrase("write", ja: "投稿・変更")
        case "admin": Phrase("admin", ja: "管理")
        case "metrics": Phrase("metrics", ja: "メトリクス")
        default: Phrase(same: name)
        }
    }
}

/// Browsers that are signed in.
extension Phrase {
    static let browsers = Phrase("Sessions", ja: "ブラウザー")
    static let whereSignedIn = Phrase("Where you are signed in.", ja: "ログイン中のブラウザーです。")
    static let thisBrowser = Phrase("this browser", ja: "このブラウザー")
    static let unknownBrowser = Phrase("An unknown browser", ja: "不明なブラウザー")
    static let signOutEverywhere = Phrase("Sign out everywhere", ja: "すべてのブラウザーからログアウトする")
    static let thisOneToo = Phrase(
        "This browser too. API tokens stay valid.", ja: "このブラウザーもログアウトします。APIトークンは引き続き使えます。")
    static let browserWasSignedOut = Phrase("Browser signed out.", ja: "そのブラウザーをログアウトしました。")

    static func browser(_ name: String, on system: String) -> Phrase {
        Phrase("\(name) on \(system)", ja: "\(name)（\(system)）")
    }

    static func from(_ address: String) -> Phrase { Phrase("from \(address)", ja: "接続元 \(address)") }
}

/// Around a moment, which is an element of its own.
extension MarkedPhrase {
    static func since(_ moment: HTML) -> MarkedPhrase { MarkedPhrase("since \(moment)", ja: "\(moment)から") }

    static func seen(_ moment: HTML) -> MarkedPhrase { MarkedPhrase("seen \(moment)", ja: "最終利用 \(moment)") }

    static func used(_ moment: HTML) -> MarkedPhrase { MarkedPhrase("used \(moment)", ja: "最終利用 \(moment)") }

    static func goodUntil(_ moment: HTML) -> MarkedPhrase {
        MarkedPhrase("valid until \(moment)", ja: "\(moment)まで有効")
    }

    static func ended(_ moment: HTML) -> MarkedPhrase { MarkedPhrase("ended \(moment)", ja: "\(moment)に期限切れ") }

    static func youAre(_ name: String, since moment: HTML) -> MarkedPhrase {
        MarkedPhrase(
            "You are \(name), here since \(moment).", ja: "\(name)さん（\(moment)から利用）")
    }
}

/// Words of the export and of deleting one's account.
extension Phrase {
    static let yourData = Phrase("Your data", ja: "データ")
    static let exportAll = Phrase("Export your data", ja: "すべてを書き出す")
    static let exportExplained = Phrase(
        "A ZIP archive with your photos as they came, and captions, likes, links and posts as JSON. It is made while you download it.",
        ja: "元の写真と、キャプション・いいね・リンク・投稿のJSONを含むZIPです。ダウンロードしながら作られます。")
    static let download = Phrase("Download the archive", ja: "ZIPをダウンロード")
    static let deleteAccount = Phrase("Delete the account", ja: "アカウントを削除")
    static let deleteExplained = Phrase(
        "All your photos are deleted, and their links say so. Waiting photos are not sent; published posts stay. Your accounts are disconnected, apps and browsers signed out. This cannot be undone.",
        ja: "すべての写真が削除され、リンクには削除済みと表示されます。待機中の投稿は送られません。他のサービスに投稿済みのものは残ります。アカウントの接続は解除され、アプリとブラウザーはログアウトします。元に戻せません。")
    static let deleteIt = Phrase("Delete my account forever", ja: "アカウントを完全に削除する")
    static let wrongPassword = Phrase("The password is wrong.", ja: "パスワードが違います。")
    static let lastAdmin = Phrase(
        "You are the last admin. Make another user an admin first.",
        ja: "最後の管理者です。先に別の人を管理者にしてください。")
    static let goodbye = Phrase("Account deleted", ja: "アカウントを削除しました")
    static let accountIsGone = Phrase("Your account and your photos are deleted.", ja: "アカウントと写真を削除しました。")
    static let yourPassword = Phrase("Your password", ja: "パスワード")
}

/// Words of the webhook settings.
extension Phrase {
    static let webhooks = Phrase("Webhooks", ja: "ウェブフック")
    static let webhooksExplained = Phrase(
        "Pics tells these addresses the state of your posts and the responses to your photos. Every message is signed.",
        ja: "写真の投稿状況と反応を、次のアドレスに通知します。通知には署名が付きます。")
    static let noWebhooks = Phrase("None yet.", ja: "ウェブフックはまだありません。")
    static let newWebhook = Phrase("New webhook", ja: "新しいウェブフック")
    static let address = Phrase("Address", ja: "アドレス")
    static let webhookAddressHint = Phrase(
        "Address of a program that receives the messages, beginning with https://.",
        ja: "通知を受け取るプログラムのアドレス（例：https://example.org/pics）")
    static let addWebhook = Phrase("Add it", ja: "追加する")
    static let copySecretNow = Phrase(
        "This secret proves to the receiver that a message is from Pics. Copy it now: it is not shown again.",
        ja: "受信側は、この秘密鍵で通知がPicsからのものか確認します。今すぐコピーしてください。再び表示されることはありません。")
    static let tryIt = Phrase("Test", ja: "テスト")
    static let neverDelivered = Phrase("nothing was sent yet", ja: "通知はまだありません")

    static let webhookAnswers = Phrase("Test delivered.", ja: "テスト通知が受信されました。")
    static let webhookIsPaused = Phrase("Webhook paused.", ja: "通知を一時停止しました。")
    static let webhookGoesOn = Phrase("Webhook resumed.", ja: "通知を再開しました。")
    static let webhookIsDeleted = Phrase("Webhook deleted.", ja: "ウェブフックを削除しました。")
    static let webhookNeedsTLS = Phrase(
        "The address must begin with https://.", ja: "https://example.org/pics のように、暗号化されたアドレスを入力してください。")
    static let webhookNeedsAddress = Phrase(
        "Enter an address such as https://example.org/pics, without a user name and without #.",
        ja: "https://example.org/pics のようなアドレスを入力してください。ユーザー名と # は使えません。")
    static let tooManyWebhooks = Phrase(
        "You have reached the limit of webhooks.", ja: "ウェブフックの数が上限に達しています。")

    /// A button's label for those who do not see what is beside it.
    static func webhookAction(_ action: Phrase, _ url: String) -> Phrase {
        Phrase("\(action.english) \(url)", ja: "\(action.japanese) \(url)")
    }

    static func webhookState(_ state: Webhook.State) -> Phrase {
        switch state {
        case .active: Phrase("active", ja: "有効")
        case .paused: Phrase("paused", ja: "一時停止中")
        case .disabled: Phrase("disabled", ja: "停止済み")
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
