internal import Domain

/// Words of responses.
extension Phrase {
    static let responses = Phrase("Responses", ja: "反応")
    static let noResponses = Phrase("There are no responses yet.", ja: "反応はまだありません。")
    static let responsesWait = Phrase("Waiting for you", ja: "承認待ち")
    static let hide = Phrase("Hide", ja: "非表示")
    static let alwaysShow = Phrase("Always show this author", ja: "この投稿者を常に表示")
    static let hideAuthor = Phrase("Hide everything by this author", ja: "この投稿者をすべて非表示")
    static let hiddenResponse = Phrase("Hidden", ja: "非表示中")
    static let allResponses = Phrase("All", ja: "すべて")
    static let olderResponses = Phrase("Older responses", ja: "以前の反応")
    static let responsesExplained = Phrase(
        "Replies, likes and mentions of your photos from other sites. Those of sites that you do not know yet wait until you show them.",
        ja: "ほかのサイトからの返信、いいね、言及です。初めてのサイトからのものは、表示するまで公開されません。")
    static let showResponses = Phrase(
        "Show responses on the pages of my photos; without this everybody sees their number alone",
        ja: "写真のページに反応を表示する（オフの場合は件数だけが表示されます）")
    static let takeWebmentions = Phrase(
        "Take webmentions, by which other sites say that they mention a photo",
        ja: "Webmention（ほかのサイトが写真に言及したという知らせ）を受け取る")
    static let responsesOfPhoto = Phrase("Responses on this page", ja: "このページの反応")
    static let asAlways = Phrase("As on all my photos", ja: "すべての写真と同じ")
    static let shownHere = Phrase("Shown", ja: "表示する")
    static let numberAlone = Phrase("Number alone", ja: "件数だけ")

    static func responsesPending(_ count: Int) -> Phrase {
        Phrase(count == 1 ? "1 response waits for you" : "\(count) responses wait for you", ja: "承認待ちの反応 \(count)件")
    }

    static func name(of kind: Response.Kind) -> Phrase {
        switch kind {
        case .comment: Phrase("Reply", ja: "返信")
        case .like: Phrase("Like", ja: "いいね")
        case .repost: Phrase("Repost", ja: "リポスト")
        case .quote: Phrase("Quote", ja: "引用")
        case .mention: Phrase("Mention", ja: "言及")
        }
    }

    static func count(of kind: Response.Kind, _ count: Int) -> Phrase {
        let (english, japanese) = (Language.english.number(count), Language.japanese.number(count))
        let words: (one: String, many: String, ja: String) =
            switch kind {
            case .comment: ("reply", "replies", "返信")
            case .like: ("like", "likes", "いいね")
            case .repost: ("repost", "reposts", "リポスト")
            case .quote: ("quote", "quotes", "引用")
            case .mention: ("mention", "mentions", "言及")
            }
        return Phrase("\(english) \(count == 1 ? words.one : words.many)", ja: "\(words.ja) \(japanese)件")
    }

    /// The source of a response that came from a page.
    static let webPage = Phrase("web page", ja: "ウェブページ")
}

extension Language {
    /// The name of a response's source; `serviceName` gives those of services.
    func source(_ source: String, _ serviceName: (String) -> String) -> String {
        source == Response.web ? self(.webPage) : serviceName(source)
    }
}
