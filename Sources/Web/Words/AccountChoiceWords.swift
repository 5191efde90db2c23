internal import Actions
internal import Domain
internal import Submitters

/// Words of the form of an account's choices.
extension Phrase {
    static let wherePhotosGo = Phrase("Where photos go", ja: "写真の送り先")
    static let captions = Phrase("Captions", ja: "キャプション")
    static let pictures = Phrase("Pictures", ja: "画像")

    static let goesByDefault = Phrase("Photos go here by default", ja: "写真を標準でここへ送る")
    static let elseOnlyNamed = Phrase(
        "Else only those that name this account.", ja: "オフの場合は、このアカウントを指定した写真のみ送ります。")
    static let postsFromApps = Phrase("Posts from apps", ja: "アプリからの投稿")
    static let takesUnlisted = Phrase("Unlisted posts go here too", ja: "未収載（ひかえめな公開）の投稿も送る")
    static let postWord = Phrase("Word that chooses this account", ja: "このアカウントを選ぶ言葉")
    static let postWordHint = Phrase(
        "With the word family, a post that ends in +family goes here and nowhere else.",
        ja: "例：「家族」とすると、末尾に +家族 と書いた投稿はここだけに送られます。")
    static let goesWithCaption = Phrase("Include captions", ja: "キャプションを付けて送る")
    static let tellsPosition = Phrase("Include where photos were taken", ja: "撮影場所を含める")
    static let improveTones = Phrase("Enhance tones before sending", ja: "送る前に明るさと色調を補正する")
    static let improveTonesHint = Phrase(
        "Only the copy that is sent is enhanced. Your photo does not change.", ja: "補正するのは送るコピーだけで、元の写真は変わりません。")
    static let linkOpensFiles = Phrase(
        "Everybody with the link may open the files", ja: "リンクを知っている人なら誰でもファイルを開ける")
    static let whoSees = Phrase("Who sees the photos there", ja: "公開範囲")
    static let size = Phrase("Size", ja: "サイズ")
    static let captionRule = Phrase("How captions are counted and cut", ja: "キャプションの文字数の数え方")
    static let longCaption = Phrase("Captions that are too long", ja: "長すぎるキャプション")
    static let aroundCaption = Phrase("Text around the caption", ja: "キャプションの前後に付ける文")
    static let templateHint = Phrase(
        "Such as Day {day} of {days}: {caption}. There are {date} and {short_url} too.",
        ja: "例：{days}日中{day}日目：{caption}。{date} と {short_url} も使えます。")

    static func asServiceHasIt(_ service: String) -> Phrase {
        Phrase("as \(service) has it", ja: "\(service) の設定に従う")
    }

    static func asServiceAsks(_ service: String) -> Phrase {
        Phrase("as \(service) asks", ja: "\(service) の規定に従う")
    }

    static func visibility(_ audience: VisibilityChoice.Audience) -> Phrase {
        switch audience {
        case .everybody: Phrase("public", ja: "全体に公開")
        case .unlisted: Phrase("unlisted", ja: "ひかえめな公開")
        case .followers: Phrase("followers only", ja: "フォロワーのみ")
        case .mentioned: Phrase("mentioned people only", ja: "特定の人のみ")
        case .friendsOfFriends: Phrase("friends of friends", ja: "友人の友人まで")
        case .friends: Phrase("friends", ja: "友人まで")
        case .owner: Phrase("private", ja: "非公開")
        }
    }

    static func quality(_ quality: AccountPicture.Quality) -> Phrase {
        let japanese =
            switch quality {
            case .original: "元のサイズ"
            case .large: "大（長辺2,048ピクセルまで）"
            case .medium: "中（長辺1,280ピクセルまで）"
            case .small: "小（長辺960ピクセルまで）"
            }
        return Phrase(quality.title, ja: japanese)
    }

    static func longCaption(_ way: LongCaption) -> Phrase {
        switch way {
        case .cut: Phrase("cut, with a link to the whole caption", ja: "短くして、全文へのリンクを付ける")
        case .refuse: Phrase("do not send the photo", ja: "写真を送らない")
        case .thread: Phrase("post as a thread", ja: "スレッドとして投稿する")
        }
    }

    /// A name of `CaptionRule`, with the limit that it sets.
    static func captionRule(_ name: String) -> Phrase {
        let limit = CaptionRule.named(name)?.limit.map(Language.english.number)
        guard let limit, let service = captionServices[String(name.prefix { $0 != ":" })] else {
            return Phrase("Another rule: \(name)", ja: "その他：\(name)")
        }
        return Phrase("Like \(service): \(limit) characters", ja: "\(service) と同じ（\(limit)文字）")
    }

    private static let captionServices = [
        "twitter_classic": "Twitter", "twitter_weighted": "X", "mastodon": "Mastodon",
        "mastodon_compatible": "GoToSocial", "bluesky": "Bluesky", "threads": "Threads",
        "telegram": "Telegram", "discord": "Discord", "tumblr": "Tumblr", "misskey": "Misskey",
    ]

    /// The mistake in a choice.
    static func mistake(_ mistake: AccountChoices.Mistake) -> Phrase {
        let japanese =
            switch AccountChoice(rawValue: mistake.name) {
            case .captionTemplate:
                "前後に付ける文は2,000バイト以内で、{caption} を含めてください。ほかに使えるのは {day}、{days}、{date}、{short_url} です。"
            case .captionRule: "この数え方は選べません。"
            case .postWord: "言葉は、文字と数字で20文字以内にしてください。"
            default: "この値は選べません。"
            }
        return Phrase(mistake.sentence, ja: japanese)
    }
}

/// Words of the pages of the applications' keys.
extension Phrase {
    static let keys = Phrase("Keys", ja: "アプリのキー")
    static let allKeys = Phrase("All keys", ja: "キーの一覧")
    static let servicesExplained = Phrase(
        "Users may connect accounts at these services. Accounts at others go on, and may be connected again.",
        ja: "ユーザーがアカウントを接続できるサービスを選びます。ほかのサービスに接続済みのアカウントは引き続き使え、再接続もできます。")
    static let servicesOfSettings = Phrase(
        "The setting `services` names the services that this Pics offers.",
        ja: "提供するサービスは、設定ファイルの `services` で指定されています。")
    static let keysExplained = Phrase(
        "These services require the keys of an application. Register Pics there once, and everybody here can connect accounts.",
        ja: "これらのサービスの利用には、アプリのキーが必要です。Picsを一度登録すると、全員がアカウントを接続できます。")
    static let keysOfSettings = Phrase("keys of the settings", ja: "設定ファイルのキーを使用")
    static let keysEntered = Phrase("keys entered here", ja: "入力済み")
    static let noKeys = Phrase("no keys", ja: "キーなし")
    static let someMissing = Phrase("some are missing", ja: "一部不足")
    static let replace = Phrase("Replace", ja: "変更")
    static let enter = Phrase("Enter", ja: "入力")
    static let settingsWin = Phrase(
        "There are keys in the settings of Pics. They win over what is entered here.",
        ja: "Picsの設定ファイルにキーがあり、ここで入力した値より優先されます。")
    static let keysAreKept = Phrase(
        "There are keys. They are not shown; what you enter takes their place.",
        ja: "登録済みのキーは表示されません。入力すると置き換わります。")
    static let deleteKeys = Phrase("Delete the keys", ja: "キーを削除する")
    static let keyTooLong = Phrase("A key is too long.", ja: "キーが長すぎます。")
    static let keysWereKept = Phrase(
        "Keys saved. They are not shown again.", ja: "キーを保存しました。再び表示されることはありません。")
    static let keysWereForgotten = Phrase(
        "Keys deleted. Connected accounts keep theirs.",
        ja: "キーを削除しました。接続済みのアカウントには影響しません。")

    static func keysOf(_ service: String) -> Phrase { Phrase("Keys of \(service)", ja: "\(service) のキー") }

    static func keysFor(_ service: String) -> Phrase { Phrase("Keys for \(service)", ja: "\(service) のキー") }

    static func registerAt(_ service: String) -> Phrase {
        Phrase(
            "Register Pics at \(service) with this callback address:",
            ja: "\(service) に、次のコールバックアドレスでPicsを登録してください：")
    }
}
