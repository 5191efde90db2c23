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
    static let repliesAlone = Phrase("Replies", ja: "返信")
    static let likesAlone = Phrase("Likes", ja: "いいね")
    static let repostsAlone = Phrase("Reposts", ja: "リポスト")
    static let olderResponses = Phrase("Older responses", ja: "以前の反応")
    static let responsesExplained = Phrase(
        "Replies, comments, likes, reposts and mentions of your photos. Those from sites that are new to you wait until you show them.",
        ja: "写真への返信、コメント、いいね、リポスト、言及です。初めてのサイトからのものは、承認するまで公開されません。")
    static let showResponses = Phrase(
        "Show responses on the pages of my photos; otherwise only their number",
        ja: "写真のページに反応を表示する（オフの場合は件数だけが表示されます）")
    static let takeWebmentions = Phrase(
        "Accept webmentions: notices from other sites that mention a photo",
        ja: "Webmention（ほかのサイトが写真に言及したという知らせ）を受け取る")
    static let sendWebmentions = Phrase(
        "Send webmentions to the pages that my public captions link to", ja: "公開写真のキャプションにあるリンク先にWebmentionを送る")
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

    static let yourComment = Phrase("Your comment", ja: "コメント")
    static let comment = Phrase("Comment", ja: "コメントする")
    static let commentKind = Phrase("Comment", ja: "コメント")
    static let deleteComment = Phrase("Delete comment", ja: "コメントを削除")
    static let reply = Phrase("Reply", ja: "返信")
    static let yourReply = Phrase("Your reply", ja: "返信の内容")
    static let sendReply = Phrase("Send reply", ja: "返信を送信")
    static let favourite = Phrase("Like", ja: "いいね")
    static let unfavourite = Phrase("Undo like", ja: "いいねを取り消す")
    static let repost = Phrase("Repost", ja: "リポスト")
    static let unrepost = Phrase("Undo repost", ja: "リポストを取り消す")
    static let deleteReply = Phrase("Delete reply", ja: "返信を削除")
    static let replyWaits = Phrase("Being sent", ja: "送信中")
    static let replyFailed = Phrase("Failed", ja: "失敗")
    static let newResponse = Phrase("New", ja: "新着")
    static let markAllRead = Phrase("Mark all as read", ja: "すべて既読にする")
    static let following = Phrase("Following", ja: "フォロー中")
    static let followingExplained = Phrase(
        "Posts by people whom your accounts follow. Only you see this page.",
        ja: "接続済みアカウントでフォローしている人の投稿です。このページは自分だけに表示されます。")
    static let noPosts = Phrase("No posts yet.", ja: "投稿はまだありません。")
    static let photosAlone = Phrase("Photos only", ja: "写真のみ")
    static let loadMissing = Phrase("Load", ja: "読み込む")

    static func missingPosts(at service: String) -> Phrase {
        Phrase("Some posts from \(service) are not loaded.", ja: "\(service)の投稿の一部を取得していません。")
    }

    static func repostedBy(_ name: String) -> Phrase { Phrase("Reposted by \(name)", ja: "\(name)さんがリポスト") }

    static func name(of kind: AttachedMedia.Kind) -> Phrase {
        switch kind {
        case .picture: Phrase("Picture", ja: "画像")
        case .video: Phrase("Video", ja: "動画")
        case .audio: Phrase("Audio", ja: "音声")
        }
    }

    /// Several people who did the same, such as "8 likes at Mastodon".
    static func group(_ kind: Response.Kind, _ number: Int, at source: String?) -> Phrase {
        let counted = Phrase.count(of: kind, number)
        guard let source else {
            return Phrase("\(Language.english(counted)) on the web", ja: "ウェブの\(Language.japanese(counted))")
        }
        return Phrase("\(Language.english(counted)) at \(source)", ja: "\(source)の\(Language.japanese(counted))")
    }

    /// The source of a response that came from a page.
    static let webPage = Phrase("web page", ja: "ウェブページ")
    /// The source of a comment that was written here.
    static let thisPics = Phrase("Pics", ja: "Pics")
}

extension Language {
    /// The name of a response's source; `serviceName` gives those of services.
    func source(_ source: String, _ serviceName: (String) -> String) -> String {
        switch source {
        case Response.web: self(.webPage)
        case Response.here: self(.thisPics)
        default: serviceName(source)
        }
    }
}
