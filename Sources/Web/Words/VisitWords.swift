/// What owners are told of the visits of their pages.
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
