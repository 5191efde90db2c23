internal import Domain

/// Words about photos from elsewhere.
extension Phrase {
    static let importPhotos = Phrase("Import", ja: "インポート")
    static let importExplained = Phrase(
        "Import photos from Google Photos, Instagram (JSON), Flickr, Mastodon, Pixelfed, or from another Pics: choose the archive that the service gives you, or a ZIP of photos and videos.",
        ja:
            "Googleフォト、Instagram（JSON形式）、Flickr、Mastodon、Pixelfed、または別のPicsから写真をインポートします。各サービスからダウンロードしたアーカイブ、または写真や動画のZIPを選択してください。"
    )
    static let importKeepsPrivate = Phrase(
        "Dates, captions, alternative texts and albums are kept. A photo is public only if it was public there. Nothing is posted to your accounts.",
        ja: "日付、キャプション、代替テキスト、アルバムは保持されます。公開されるのは元のサービスで公開されていた写真だけです。接続済みアカウントには投稿されません。")
    static let archives = Phrase("Archives (ZIP or tar.gz)", ja: "アーカイブ（ZIPまたはtar.gz）")
    static let archivesTogether = Phrase(
        "If an archive comes in several files, select them all.", ja: "アーカイブが複数のファイルに分かれている場合は、すべて選択してください。")
    static let importIt = Phrase("Import", ja: "インポートする")
    static let importBegins = Phrase(
        "The archive was uploaded. The import has started.", ja: "アーカイブをアップロードしました。インポートを開始しました。")
    static let importRuns = Phrase(
        "An import is running. It continues when you close this page.", ja: "インポート中です。このページを閉じても続行されます。")
    static let importUnderWay = Phrase(
        "An import is running. Start the next one when it has finished.", ja: "インポート中です。完了してから次のインポートを開始してください。")
    static let chooseAnArchive = Phrase("Choose an archive.", ja: "アーカイブを選択してください。")
    static let archiveTooLarge = Phrase(
        "The archives are too large. Ask your admin to raise import_limit or your storage limit, or use `pics import`.",
        ja: "アーカイブが大きすぎます。管理者にimport_limitまたは容量の上限の引き上げを依頼するか、「pics import」を使用してください。")
    static let importsSoFar = Phrase("Imports", ja: "インポートの履歴")

    static func failedFiles(_ count: Int) -> Phrase {
        Phrase(count == 1 ? "1 file failed" : "\(count) files failed", ja: "失敗したファイル \(count)件")
    }

    /// How far it is, and what of that came about: nothing is said of what did not happen.
    static func counted(_ counts: ImportCounts) -> Phrase {
        let parts: [(count: Int, english: String, japanese: String)] = [
            (counts.imported, "imported", "インポート"), (counts.known, "already there", "インポート済みのためスキップ"),
            (counts.failed, "failed", "失敗"),
        ].filter { $0.0 > 0 }
        let start = Phrase("\(counts.ended) of \(counts.found)", ja: "\(counts.found)件中\(counts.ended)件")
        guard !parts.isEmpty else { return start }
        return Phrase(
            "\(start.english): \(parts.map { "\($0.count) \($0.english)" }.joined(separator: ", "))",
            ja: "\(start.japanese): \(parts.map { "\($0.japanese)\($0.count)件" }.joined(separator: "、"))")
    }

    static func andMore(_ count: Int) -> Phrase { Phrase("and \(count) more", ja: "ほか\(count)件") }

    static func state(of state: PhotoImport.State) -> Phrase {
        switch state {
        case .waiting: Phrase("Waiting", ja: "待機中")
        case .running: Phrase("Running", ja: "実行中")
        case .done: Phrase("Finished", ja: "完了")
        case .failed: Phrase("Failed", ja: "失敗")
        }
    }

    static func name(of source: ImportSource) -> Phrase {
        switch source {
        case .pics: Phrase("Pics", ja: "Pics")
        case .takeout: Phrase("Google Photos", ja: "Googleフォト")
        case .mastodon: Phrase("Mastodon", ja: "Mastodon")
        case .pixelfed: Phrase("Pixelfed", ja: "Pixelfed")
        case .instagram: Phrase("Instagram", ja: "Instagram")
        case .flickr: Phrase("Flickr", ja: "Flickr")
        case .folder: Phrase("Files", ja: "ファイル")
        }
    }

    /// Why a whole import has failed.
    static func reason(ofImport problem: ImportProblem) -> Phrase {
        let reason = reason(problem)
        guard problem == .unreadable else { return reason }
        return Phrase(
            "\(reason.english) For single photos use “\(newPhoto.english)”.",
            ja: "\(reason.japanese)1枚ずつの場合は「\(newPhoto.japanese)」を使ってください。")
    }

    static func reason(_ problem: ImportProblem) -> Phrase {
        let japanese =
            switch problem {
            case .unreadable: "ZIPまたはtar.gz形式ではないか、破損しています。"
            case .cutOff: "アーカイブが途中で切れています。もう一度ダウンロードしてください。"
            case .encrypted: "暗号化されています。"
            case .tooManyFiles: "アーカイブのファイルが多すぎます。分割してインポートしてください。"
            case .tooLarge: "展開後のサイズが大きすぎます。分割してインポートしてください。"
            case .tooMuchText: "アーカイブの写真情報が大きすぎます。分割してインポートしてください。"
            case .empty: "写真がありません。"
            case .quota: "保存容量が足りません。"
            case .missing: "選択されたアーカイブにファイルがありません。"
            case .tooLong: "ファイルが写真・動画の上限を超えています。"
            case .unsupported: "対応していない形式のファイルです。"
            case .damaged: "ファイルが破損しています。"
            case .badText: "写真の説明を読み取れません。"
            case .scattered: "1つの投稿のファイルがアーカイブ内で離れすぎています。"
            case .abandoned: "インポートが停止しました。もう一度開始すると、続きから再開します。"
            }
        return Phrase(problem.description, ja: japanese)
    }
}
