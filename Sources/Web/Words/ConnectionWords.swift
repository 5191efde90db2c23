internal import Actions
internal import Domain
internal import Submitters

/// Words of the pages of accounts.
extension Phrase {
    static let connections = Phrase("Connected accounts", ja: "アカウントの接続")
    static let allConnections = Phrase("All connected accounts", ja: "接続の一覧")
    static let connectAccount = Phrase("Connect an account", ja: "アカウントを接続")
    static let connectAnother = Phrase("Connect another account", ja: "別のアカウントを接続")
    static let notReadyYet = Phrase("Not ready yet", ja: "準備中のサービス")
    static let noAccountYet = Phrase(
        "No account is connected yet. Photos stay here until you connect one.",
        ja: "接続されたアカウントはまだありません。接続するまで、写真はここだけに保存されます。")
    static let onlyIfNamed = Phrase("only for photos that name it", ja: "指定した写真のみ")
    static let reconnect = Phrase("Reconnect", ja: "再接続")
    static let connect = Phrase("Connect", ja: "接続する")
    static let details = Phrase("Details", ja: "詳細")
    static let ratherNot = Phrase("Cancel", ja: "やめる")

    static func settingsOf(_ account: String) -> Phrase { Phrase("Settings of \(account)", ja: "\(account) の設定") }

    static func connect(_ service: String) -> Phrase { Phrase("Connect \(service)", ja: "\(service) に接続") }

    static func detailsOf(_ service: String) -> Phrase { Phrase("Details of \(service)", ja: "\(service) の詳細") }

    static func state(_ state: Account.State) -> Phrase {
        switch state {
        case .ok: Phrase("connected", ja: "接続済み")
        case .needsLogin: Phrase("needs a new login", ja: "再ログインが必要")
        case .paused: Phrase("paused", ja: "一時停止中")
        case .disabled: Phrase("disconnected", ja: "切断済み")
        }
    }
}

/// One account.
extension Phrase {
    static let serviceIsUnknown = Phrase(
        "This version of Pics does not know the service.", ja: "このサービスには対応しなくなりました。")
    static let pauseOrDisconnect = Phrase("Pause or disconnect", ja: "一時停止と切断")
    static let pause = Phrase("Pause", ja: "一時停止")
    static let resume = Phrase("Resume", ja: "再開")
    static let disconnect = Phrase("Disconnect", ja: "切断する")
    static let needsLogin = Phrase("It needs a new login", ja: "再ログインが必要です")
    static let letsInNoMore = Phrase("The service no longer accepts this login.", ja: "サービスがPicsからのアクセスを受け付けません。")
    static let itsPhotosWait = Phrase("Photos for it wait.", ja: "このアカウント宛ての写真は待機します。")

    static let responsesUnreadable = Phrase(
        "Pics can post here but may not read responses.", ja: "投稿はできますが、反応を取得する権限がありません。")
    static let reconnectToRead = Phrase("Reconnect to read responses", ja: "再接続して反応の取得を許可する")

    static func paidReads(_ spent: Int64, objects: Int) -> Phrase {
        let (cents, hundredths) = (spent / 10_000, spent / 100 % 100)
        let dollars =
            "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)\(hundredths < 10 ? "0" : "")\(hundredths)"
        return Phrase(
            "Reading likes and replies has cost about $\(dollars) this month, for \(objects) of them.",
            ja: "今月のいいねと返信の取得費用は約$\(dollars)です（\(objects)件）。")
    }

    static let accountIsConnected = Phrase("The account is connected.", ja: "アカウントを接続しました。")
    static let choicesWereKept = Phrase("Saved.", ja: "設定を保存しました。")
    static let accountIsPaused = Phrase(
        "Account paused. Its photos wait.", ja: "アカウントを一時停止しました。宛てられた写真は待機します。")
    static let accountGoesOn = Phrase(
        "Account resumed. Waiting photos are being sent.", ja: "アカウントを再開しました。待機していた写真を送ります。")
    static let albumWasChosen = Phrase("Photos go to this album from now on.", ja: "今後の写真はこのアルバムに入ります。")
    static let wasDisconnected = Phrase(
        "Account disconnected. Published posts stay.",
        ja: "アカウントを切断しました。投稿済みのものは残ります。")
    static let wasDisconnectedAndRevoked = Phrase(
        "Account disconnected. The service revoked the token.",
        ja: "アカウントを切断し、サービス側のアクセス権も取り消しました。")
    static let wasDisconnectedAlone = Phrase(
        "Account disconnected here, but the service could not be reached. Revoke Pics's access there too.",
        ja: "ここでは切断しましたが、サービスに通知できませんでした。サービス側でもPicsのアクセス権を取り消してください。")

    static func disconnect(_ account: String) -> Phrase {
        Phrase("Disconnect \(account)?", ja: "\(account) を切断しますか？")
    }

    static func disconnectExplained(_ service: String) -> Phrase {
        Phrase(
            "Pics deletes this account's credentials and revokes them at \(service) where possible. Waiting photos are not sent. Published posts stay.",
            ja: "\(service) のこのアカウントへのアクセス情報を削除し、可能な場合は \(service) にも通知します。待機中の写真は送られません。投稿済みのものは残ります。"
        )
    }
}

/// Albums of an account.
extension Phrase {
    static let noAlbum = Phrase("none", ja: "なし")
    static let chooseAlbum = Phrase("Choose an album", ja: "アルバムを選ぶ")
    static let photosGoTo = Phrase("Photos go to", ja: "写真の追加先")
    static let choose = Phrase("Choose", ja: "選択する")
    static let newAlbum = Phrase("New album", ja: "新しいアルバム")
    static let makeAlbum = Phrase("Create and choose", ja: "作成して選択する")
    static let backToAccount = Phrase("Back to the account", ja: "アカウントに戻る")
    static let chooseOne = Phrase("Choose one of them.", ja: "いずれかを選んでください。")
    static let albumIsGone = Phrase("The album no longer exists.", ja: "このアルバムはもうありません。")
    static let albumNeedsName = Phrase(
        "An album needs a name of 1 to 200 characters.", ja: "アルバム名は1〜200文字で入力してください。")

    static func albumsOf(_ account: String) -> Phrase {
        Phrase("Albums of \(account)", ja: "\(account) のアルバム")
    }

    static func noAlbum(at service: String) -> Phrase {
        Phrase("None: \(service) decides", ja: "指定しない（\(service) に任せる）")
    }

    static func albumsCannotBeRead(_ problem: Problem) -> Phrase {
        let words = Phrase(problem)
        return Phrase(
            "The albums could not be read. \(words.english)", ja: "アルバムを取得できませんでした。\(words.japanese)",
            told: words.told)
    }
}

/// How an account is connected.
extension Phrase {
    static let inTheBrowser = Phrase("In the browser", ja: "ブラウザーで接続")
    static let connectInBrowser = Phrase("Connect in the browser", ja: "ブラウザーで接続する")
    static let withOwnKeys = Phrase("With keys and tokens of your own", ja: "自分のキーとトークンを使う")
    static let enterTheKeys = Phrase("Enter the keys", ja: "キーを入力する")
    static let adminEntersKeys = Phrase(
        "An admin of this Pics has to enter them first.", ja: "先に、このPicsの管理者が入力する必要があります。")
    static let optional = Phrase("Optional", ja: "任意")
    static let noWebAddress = Phrase(
        "The service's address is not a web address.", ja: "サービスのアドレスがWebアドレスではありません。")
    static let tooManyBegun = Phrase(
        "Too many accounts are being connected. Finish those that are open, or wait ten minutes.",
        ja: "開始した接続が多すぎます。途中のものを終えるか、10分後にもう一度お試しください。")

    static func whatItAllows(_ service: String) -> Phrase {
        Phrase("Features of \(service)", ja: "\(service) でできること")
    }

    static func continueTo(_ service: String) -> Phrase { Phrase("Continue to \(service)", ja: "\(service) へ進む") }

    static func asksThere(_ service: String) -> Phrase {
        Phrase(
            "\(service) asks there whether Pics may use your account, and sends you back here. Agree within ten minutes, in this browser.",
            ja: "\(service) で、Picsによるアカウントの利用を確認します。10分以内に、このブラウザーで許可してください。その後ここに戻ります。")
    }

    static func leadsTo(_ host: String) -> Phrase { Phrase("It leads to \(host).", ja: "移動先：\(host)") }

    static func keysAreMissing(_ service: String) -> Phrase {
        Phrase(
            "Not possible yet: \(service) needs application keys. Missing:",
            ja: "まだ接続できません。\(service) の利用にはアプリのキーが必要ですが、登録されていません。足りないもの：")
    }

    static func noKeys(for service: String) -> Phrase {
        Phrase("This Pics has no keys for \(service).", ja: "\(service) のキーが登録されていません。")
    }

    /// A field that was left empty.
    static func isNeeded(_ prompt: Phrase) -> Phrase {
        Phrase("It is needed: \(prompt.english).", ja: "入力が必要です：\(prompt.japanese)")
    }
}

/// Words of the page to which a service sends people back.
extension Phrase {
    static let notConnected = Phrase("Not connected", ja: "接続できませんでした")
    static let connected = Phrase("Connected", ja: "接続しました")
    static let nearlyConnected = Phrase("Almost connected", ja: "もう少しで完了です")
    static let mayClose = Phrase("You may close this page.", ja: "このページを閉じてかまいません。")
    static let notBegunYourself = Phrase(
        "If you have not begun this yourself, close this page: somebody else would get your account.",
        ja: "心当たりがない場合は、このページを閉じてください。ほかの人にアカウントが渡ってしまいます。")
    static let appIsNotNamed = Phrase(
        "The setting return_schemes of this Pics does not name the addresses of the app.",
        ja: "アプリのアドレスが、このPicsの設定 return_schemes にありません。")

    static func connected(_ service: String, as account: String) -> Phrase {
        Phrase("\(service) is connected as \(account).", ja: "\(service) を \(account) として接続しました。")
    }

    static func enterCode(_ code: String) -> Phrase {
        Phrase(
            "Enter this code in the app where you began, within ten minutes: \(code)",
            ja: "接続を始めたアプリに、10分以内にこのコードを入力してください：\(code)")
    }

    static func becomesAccount(of user: String) -> Phrase {
        Phrase(
            "\(user) began this here, and gets the account.",
            ja: "\(user) さんがここで始めた接続です。アカウントは \(user) さんのものになります。")
    }

    static func refusal(_ refusal: AuthorizationError) -> Phrase {
        let japanese =
            switch refusal {
            case .unknown: "このアドレスで始めた接続がありません。最初からやり直してください。"
            case .used: "このアドレスは使用済みです。アカウントが接続されていなければ、最初からやり直してください。"
            case .expired: "時間切れです。最初からやり直してください。"
            case .otherBrowser: "別のブラウザーで始めた接続です。このブラウザーで最初からやり直してください。"
            case .unclaimed: "接続を始めたアプリで完了してください。"
            case .otherService: "依頼先とは別のサービスからの応答です。最初からやり直してください。"
            }
        return Phrase(refusal.sentence, ja: japanese)
    }
}

extension MarkedPhrase {
    static func connectAgain(_ account: String) -> MarkedPhrase {
        MarkedPhrase(
            "Connect <strong dir=\"auto\">\(account)</strong> again: agree or enter everything as that account.",
            ja: "<strong dir=\"auto\">\(account)</strong> を再接続します。このアカウントで許可または入力してください。")
    }

    /// The name of an album, or that there is none.
    static func album(_ shown: HTML) -> MarkedPhrase { MarkedPhrase("Album: \(shown)", ja: "アルバム：\(shown)") }

    static func disconnectHeading(_ account: String) -> MarkedPhrase {
        MarkedPhrase("Disconnect <bdi>\(account)</bdi>?", ja: "<bdi>\(account)</bdi> を切断しますか？")
    }

    static func albumsHeading(_ account: String) -> MarkedPhrase {
        MarkedPhrase("Albums of <bdi>\(account)</bdi>", ja: "<bdi>\(account)</bdi> のアルバム")
    }
}

/// Words for the abilities of services.
extension Phrase {
    static let photosAndVideos = Phrase("Photos and videos", ja: "写真と動画")
    static let videos = Phrase("Videos", ja: "動画")
    static let altText = Phrase("Alternative text", ja: "代替テキスト")
    static let position = Phrase("Position", ja: "撮影場所")
    static let later = Phrase("Later", ja: "投稿後")
    static let likesTerm = Phrase("Likes", ja: "いいね")

    static let none = Phrase("none", ja: "なし")
    static let yes = Phrase("yes", ja: "あり")
    static let no = Phrase("no", ja: "なし")
    static let albumsInLine = Phrase("albums", ja: "アルバム")
    static let albumsAllow = Phrase("list, choose and create", ja: "一覧・選択・作成")
    static let anyLength = Phrase("any length", ja: "文字数の制限なし")
    static let anySize = Phrase("of any size", ja: "サイズの制限なし")
    static let likesAllow = Phrase("counted there, shown here", ja: "サービスでの数をここにも表示")

    static func captionsOf(_ length: Phrase) -> Phrase {
        Phrase("captions: \(length.english)", ja: "キャプション：\(length.japanese)")
    }

    /// `limit` with its thousands apart.
    static func length(_ limit: String, inBytes: Bool) -> Phrase {
        Phrase("\(limit) \(inBytes ? "bytes" : "characters")", ja: "\(limit)\(inBytes ? "バイト" : "文字")")
    }

    /// `size` with its unit.
    static func upTo(_ size: String) -> Phrase { Phrase("up to \(size)", ja: "\(size)まで") }

    static func positionPolicy(_ policy: PositionPolicy) -> Phrase {
        switch policy {
        case .never: Phrase("not told", ja: "含めません")
        case .always: Phrase("as in the original, which only you see there", ja: "元の写真のまま（見られるのは自分のみ）")
        case .chosen: Phrase("told if you choose so", ja: "選んだ場合のみ含めます")
        }
    }

    static func later(canChange: Bool, canTakeBack: Bool) -> Phrase {
        switch (canChange, canTakeBack) {
        case (true, true): Phrase("change and delete posts", ja: "変更と削除ができます")
        case (true, false): Phrase("change posts", ja: "変更できます")
        case (false, true): Phrase("delete posts", ja: "削除できます")
        case (false, false): Phrase("posts stay as they are", ja: "変更できません")
        }
    }
}

/// Whether accounts of a service can be connected, in a few words.
extension Phrase {
    static let hasEndedService = Phrase("Closed", ja: "サービス終了")
    static let enterNothing = Phrase("Nothing to enter", ja: "入力は不要です")
    static let agreeInBrowser = Phrase("Sign in at the service", ja: "ブラウザーで許可します")
    static let keysMissing = Phrase("Not set up", ja: "キーがありません")
    static let keysMissingBringOwn = Phrase(
        "Not set up; you can use your own keys", ja: "キーがありません（自分のキーも使えます）")

    static let accountDetails = Phrase("The account's details", ja: "必要な情報を入力します")
    static let appPassword = Phrase("An app password", ja: "アプリパスワードを入力します")
    static let nameAndPassword = Phrase("Name and password", ja: "名前とパスワードを入力します")
    static let token = Phrase("A token", ja: "トークンを入力します")
    static let nameAndKey = Phrase("Name and key", ja: "名前とキーを入力します")
}
