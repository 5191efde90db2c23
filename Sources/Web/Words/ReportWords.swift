internal import Domain

/// Words of reports of photos.
extension Phrase {
    static let reportPhoto = Phrase("Report this photo", ja: "この写真を通報")
    static let reportReasonLabel = Phrase("Reason", ja: "理由")
    static let reportText = Phrase("Details (optional)", ja: "詳細（任意）")
    static let reportAddress = Phrase("Your email address (optional)", ja: "メールアドレス（任意）")
    static let reportAddressHint = Phrase(
        "Only the admins of this site see it, to answer you.", ja: "回答のために、このサイトの管理者だけが見ます。")
    static let leaveEmpty = Phrase("Leave this empty", ja: "ここには何も入力しないでください")
    static let sendReport = Phrase("Send report", ja: "通報する")
    static let reportNeedsReason = Phrase("Choose a reason.", ja: "理由を選んでください。")
    static let reportTooLong = Phrase(
        "The text may have at most 1,000 characters.", ja: "本文は1,000文字までです。")
    static let reportSent = Phrase("Report sent", ja: "通報を受け付けました")
    static let reportSentExplained = Phrase(
        "The admins of this site will look at it.", ja: "このサイトの管理者が確認します。")
    static let reportMayBeAnswered = Phrase(
        "They can answer to the address that you gave.", ja: "必要な場合は、入力されたアドレスに回答します。")
    static let reportIsNotAnswered = Phrase(
        "You get no answer, since you gave no address.", ja: "メールアドレスの入力がないため、回答はありません。")
    static let backToPhoto = Phrase("Back to the photo", ja: "写真に戻る")
    static let contactOperator = Phrase("Contact the operator", ja: "運用者に連絡する")

    static func reportReason(_ reason: Report.Reason) -> Phrase {
        switch reason {
        case .spam: Phrase("Spam", ja: "スパム")
        case .illegal: Phrase("Illegal content", ja: "違法な内容")
        case .violence: Phrase("Violence", ja: "暴力")
        case .sexual: Phrase("Sexual content", ja: "性的な内容")
        case .rights: Phrase("It infringes my rights or copyright", ja: "自分の権利・著作権の侵害")
        case .privacy: Phrase("It violates somebody's privacy", ja: "プライバシーの侵害")
        case .other: Phrase("Something else", ja: "その他")
        }
    }

    // MARK: For the owner

    static let adminMadePrivate = Phrase(
        "An admin made this photo private after a report.", ja: "通報を受けて、管理者がこの写真を非公開にしました。")
    static let adminDeletedPhoto = Phrase(
        "An admin deleted this photo after a report.", ja: "通報を受けて、管理者がこの写真を削除しました。")

    // MARK: For admins

    static let reports = Phrase("Reports", ja: "通報")
    static let noOpenReports = Phrase("No open reports.", ja: "未対応の通報はありません。")
    static let moreReports = Phrase("More reports", ja: "さらに表示")
    static let decidedReports = Phrase("Decided", ja: "対応済み")
    static let reportNote = Phrase("Note for the record (optional)", ja: "記録用のメモ（任意）")
    static let answerTo = Phrase("Answer to:", ja: "回答先：")
    static let reportedPhotoIsGone = Phrase("photo deleted", ja: "写真は削除済み")
    static let reportWasDismissed = Phrase("Report dismissed.", ja: "通報を「問題なし」としました。")
    static let reportedPhotoWasMadePrivate = Phrase("Photo made private.", ja: "写真を非公開にしました。")
    static let shownAgain = Phrase("shown again by its owner", ja: "所有者が再び公開")
    static let restoredByOwner = Phrase("restored by its owner", ja: "所有者が元に戻しました")
    static let reportHasChanged = Phrase(
        "This report was decided already, or the photo is being changed. Retry if it is still open.",
        ja: "この通報は対応済みか、写真が変更中です。未対応のままの場合は、もう一度お試しください。")
    static let photoStaysVisible = Phrase(
        "The photo is part of a post. Delete it, or decide on the post.",
        ja: "この写真は投稿の一部です。削除するか、投稿の通報に対応してください。")

    static func reportedPhotoWasDeleted(owner: String, until moment: String) -> Phrase {
        Phrase(
            "Photo deleted. \(owner) can restore it until \(moment).",
            ja: "写真を削除しました。\(moment)までは\(owner)さんが元に戻せます。")
    }

    static func deleteReportedPhoto(of owner: String) -> Phrase {
        Phrase(
            "Delete this photo of \(owner)? Its link stops working. For a day \(owner) can restore it.",
            ja: "\(owner)さんの写真を削除しますか？リンクも無効になります。1日以内なら\(owner)さんが元に戻せます。")
    }

    static func reportsOpen(_ count: Int) -> Phrase {
        Phrase(count == 1 ? "1 open report" : "\(count) open reports", ja: "未対応の通報 \(count)件")
    }

    /// On a button.
    static func decide(_ decision: Report.Decision) -> Phrase {
        switch decision {
        case .dismissed: Phrase("Dismiss", ja: "問題なし")
        case .private: Phrase("Make private", ja: "非公開にする")
        case .deleted: Phrase("Delete photo", ja: "写真を削除")
        }
    }

    static func reportDecision(_ decision: Report.Decision) -> Phrase {
        switch decision {
        case .dismissed: Phrase("Dismissed", ja: "問題なし")
        case .private: Phrase("Photo made private", ja: "写真を非公開に変更")
        case .deleted: Phrase("Photo deleted", ja: "写真を削除")
        }
    }
}
