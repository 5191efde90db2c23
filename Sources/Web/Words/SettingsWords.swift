/// What the frame and the first page of the settings say.
extension Phrase {
    static let settings = Phrase("Settings", ja: "設定")
    static let you = Phrase("You", ja: "プロフィール")
    static let keep = Phrase("Keep", ja: "保存")

    static let youAreAdmin = Phrase(
        "You are an admin: you may invite people.", ja: "管理者として、ほかの人を招待できます。")
    static let timeZone = Phrase("Time zone", ja: "タイムゾーン")
    static let timeZoneHint = Phrase(
        "Dates and days of captions are counted in it.", ja: "日付やキャプションの日数の基準になります。")
    static let noSuchZone = Phrase("There is no such time zone.", ja: "このタイムゾーンはありません。")
    static let presentPassword = Phrase("Present password", ja: "現在のパスワード")
    static let newPassword = Phrase("New password", ja: "新しいパスワード")
    static let changePassword = Phrase("Change the password", ja: "パスワードを変更する")
    static let othersAreSignedOut = Phrase(
        "All other browsers are signed out.",
        ja: "ほかのブラウザーはログアウトします。")
    static let presentPasswordIsWrong = Phrase("The present password is another one.", ja: "現在のパスワードが違います。")

    static let welcome = Phrase("Welcome to Pics.", ja: "Picsへようこそ。")
    static let zoneWasKept = Phrase(
        "Your days are counted in this time zone now.", ja: "タイムゾーンを変更しました。")
    static let signMyPictures = Phrase("Sign my pictures", ja: "写真に署名する")
    static let signatureName = Phrase("Name", ja: "名前")
    static let signatureHint = Phrase(
        "Written as the artist into public pictures and into the copies that leave for services. Leave it empty to write no name.",
        ja: "公開される写真と、サービスに送るコピーに撮影者として書き込みます。空欄にすると名前は書き込みません。")
    static let signatureIsTooLong = Phrase(
        "A name may have 100 characters, on one line.", ja: "名前は1行で100文字以内にしてください。")
    static let choiceWasKept = Phrase("Your choice was kept.", ja: "設定を保存しました。")
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
    static let noTokens = Phrase("There is none.", ja: "トークンはまだありません。")
    static let newToken = Phrase("New token", ja: "新しいトークン")
    static let name = Phrase("Name", ja: "名前")
    static let tokenNameHint = Phrase("What it is for, such as your phone.", ja: "用途がわかる名前（例：自分のスマートフォン）")
    static let itMay = Phrase("It may", ja: "できること")
    static let makeToken = Phrase("Make a token", ja: "トークンを作成する")
    static let revoke = Phrase("Revoke", ja: "無効にする")
    static let revokeAllTokens = Phrase("Also revoke all API tokens", ja: "すべてのAPIトークンも無効にする")
    static let tokenWasRevoked = Phrase("The token was revoked.", ja: "トークンを無効にしました。")
    static let tokenNeeds = Phrase(
        "A token needs a name and a choice of what it may do.", ja: "トークンの名前を入力し、できることを選んでください。")
    static let copyTokenNow = Phrase(
        "Copy it now: it is not shown again.", ja: "今すぐコピーしてください。再び表示されることはありません。")
    static let neverUsed = Phrase("never used", ja: "未使用")

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

    /// What a token may do, in a word.
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
    static let browsers = Phrase("Browsers", ja: "ブラウザー")
    static let whereSignedIn = Phrase("Where you are signed in.", ja: "ログイン中のブラウザーです。")
    static let thisBrowser = Phrase("this browser", ja: "このブラウザー")
    static let unknownBrowser = Phrase("An unknown browser", ja: "不明なブラウザー")
    static let signOutEverywhere = Phrase("Sign out everywhere", ja: "すべてのブラウザーからログアウトする")
    static let thisOneToo = Phrase(
        "This browser too. API tokens go on.", ja: "このブラウザーもログアウトします。APIトークンは引き続き使えます。")
    static let browserWasSignedOut = Phrase("That browser was signed out.", ja: "そのブラウザーをログアウトしました。")

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
        MarkedPhrase("good until \(moment)", ja: "\(moment)まで有効")
    }

    static func youAre(_ name: String, since moment: HTML) -> MarkedPhrase {
        MarkedPhrase(
            "You are \(name), here since \(moment).", ja: "\(name)さん（\(moment)から利用）")
    }
}
