/// Words of the pages behind short links.
extension Phrase {
    static let like = Phrase("Like", ja: "いいね")
    static let alsoAt = Phrase("Also at", ja: "ほかの投稿先")
    static let link = Phrase("Link", ja: "リンク")
    static let fullScreen = Phrase("Full screen", ja: "全画面")
    static let copyLink = Phrase("Copy", ja: "コピー")
    static let linkCopied = Phrase("Copied", ja: "コピーしました")
    static let share = Phrase("Share", ja: "共有")
    static let downloadFile = Phrase("Download", ja: "ダウンロード")
    static let shareFile = Phrase("Share the file", ja: "ファイルを共有")
    static let openQRCode = Phrase("Open the QR code", ja: "QRコードを開く")
    static let qrCode = Phrase("QR code", ja: "QRコード")
    static let otherPhotos = Phrase("Other photos", ja: "ほかの写真")
    static let theVideo = Phrase("The video", ja: "動画")
    static let reportThis = Phrase("Report", ja: "通報")
    static let pictureCannotBeShown = Phrase("The picture cannot be shown.", ja: "画像を表示できません。")
    static let onlyYouSeeThis = Phrase("Only you can see this.", ja: "この写真はあなただけに表示されています。")
    static let onlyYouSeeThisHere = Phrase(
        "Only you can see this here. Posts at other services stay as they are.",
        ja: "このページはあなただけに表示されています。ほかのサービスへの投稿はそのまま残ります。")

    static let fileFault = Phrase(
        "The file of this photo is missing or damaged. Restore it from a backup, or send the photo again.",
        ja: "この写真のファイルが失われたか破損しています。バックアップから復元するか、もう一度アップロードしてください。")

    static let yourPages = Phrase("Your pages", ja: "写真のページ")
    static let showCamera = Phrase(
        "Show the camera and its settings on photo pages", ja: "カメラと撮影設定を表示する")
    static let keepChoice = Phrase("Save", ja: "保存")

    /// A title where the caption gives none.
    static func photo(by owner: String) -> Phrase { Phrase("A photo by \(owner)", ja: "\(owner)さんの写真") }
    static func video(by owner: String) -> Phrase { Phrase("A video by \(owner)", ja: "\(owner)さんの動画") }

    /// Before a moment.
    static let taken = Phrase("Taken", ja: "撮影")
    static let posted = Phrase("Posted", ja: "投稿")

    /// `12 likes: 3 here, 9 elsewhere`; only the sum where all are here.
    static func likes(here: Int, elsewhere: Int) -> Phrase {
        let (english, japanese) = (Language.english, Language.japanese)
        let sum = here + elsewhere
        guard sum > 0 else { return Phrase("No likes yet", ja: "いいねはまだありません") }
        let all = Phrase(
            sum == 1 ? "1 like" : "\(english.number(sum)) likes", ja: "いいね \(japanese.number(sum))件")
        guard elsewhere > 0 else { return all }
        return Phrase(
            "\(all.english): \(english.number(here)) here, \(english.number(elsewhere)) elsewhere",
            ja: "\(all.japanese)（ここで\(japanese.number(here))件、ほかで\(japanese.number(elsewhere))件）")
    }

    /// Beside the name of a service.
    static func likesThere(_ count: Int) -> Phrase {
        Phrase(
            count == 1 ? "1 like" : "\(Language.english.number(count)) likes",
            ja: "いいね \(Language.japanese.number(count))件")
    }

    /// Of the photos of a post, where their pictures are not loaded yet.
    static func showPhoto(_ number: Int, of count: Int) -> Phrase {
        Phrase("Show photo \(number) of \(count)", ja: "\(count)枚中\(number)枚目を表示")
    }

    static func qrCode(of url: String) -> Phrase { Phrase("QR code of \(url)", ja: "\(url) のQRコード") }
}

/// Words of the visits of an owner's pages.
extension Phrase {
    static let visits = Phrase("Visits", ja: "閲覧数")
    static let noVisitsYet = Phrase("Nobody has opened it yet.", ja: "まだ閲覧されていません。")
    static let visitsInAll = Phrase("In all", ja: "合計")
    static let visitors = Phrase("People", ja: "人")
    static let bots = Phrase("Programs", ja: "プログラム")
    static let dayOfVisits = Phrase("Day", ja: "日付")
    static let last30Days = Phrase("The last 30 days", ja: "過去30日間")
    static let visitsExplained = Phrase(
        "Crawlers, previews and other programs that say what they are count as programs. Your own visits are not counted, and nothing is kept of who came.",
        ja: "クローラーやリンクのプレビューなど、自らそう名乗るものは「プログラム」として数えます。あなた自身の閲覧は数えません。閲覧した人の情報は保存されません。")
    static let backToThePhoto = Phrase("Back to the photo", ja: "写真に戻る")
}

/// Words of the frame of every page.
extension Phrase {
    static let skipToContent = Phrase("Skip to the content", ja: "本文へ移動")
    static let howPicsIsDoing = Phrase("Status of Pics", ja: "稼働状況")
    static let theAPI = Phrase("The API", ja: "API")
    static let photosLiveHere = Phrase(
        "Photos stay on your server. Each has a short link.", ja: "写真は自分のサーバーに保存されます。一枚ごとに短いリンクがあります。")
}
