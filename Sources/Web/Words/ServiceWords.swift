internal import Domain
internal import Submitters

/// What services take and allow.
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
        case (true, true): Phrase("change and take back posts", ja: "変更と削除ができます")
        case (true, false): Phrase("change posts", ja: "変更できます")
        case (false, true): Phrase("take back posts", ja: "削除できます")
        case (false, false): Phrase("posts stay as they are", ja: "変更できません")
        }
    }
}

/// Whether accounts of a service can be connected, in a few words.
extension Phrase {
    static let hasEndedService = Phrase("Has ended", ja: "サービス終了")
    static let enterNothing = Phrase("You enter nothing", ja: "入力は不要です")
    static let agreeInBrowser = Phrase("You agree in the browser", ja: "ブラウザーで許可します")
    static let keysMissing = Phrase("Keys are missing", ja: "キーがありません")
    static let keysMissingBringOwn = Phrase(
        "Keys are missing; you may bring your own", ja: "キーがありません（自分のキーも使えます）")

    static func youEnter(_ what: Phrase) -> Phrase {
        Phrase("You enter \(what.english)", ja: "\(what.japanese)を入力します")
    }

    static let whatItAsksFor = Phrase("what it asks for", ja: "必要な情報")
    static let appPassword = Phrase("an app password", ja: "アプリパスワード")
    static let nameAndPassword = Phrase("name and password", ja: "名前とパスワード")
    static let aToken = Phrase("a token", ja: "トークン")
    static let nameAndKey = Phrase("name and key", ja: "名前とキー")
}
