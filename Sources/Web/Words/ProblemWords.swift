internal import HTTP

/// What pages say when something goes wrong, by the status of the answer.
extension Phrase {
    /// A title and a sentence for a status; nil where only the problem itself knows more.
    static func problem(_ status: HTTPStatus) -> (title: Phrase, sentence: Phrase)? {
        switch status.code {
        case 404:
            (
                Phrase("No such thing here", ja: "見つかりません"),
                Phrase(
                    "The link may be mistyped, or what it led to may not be for everybody.",
                    ja: "リンクが間違っているか、公開されていない可能性があります。")
            )
        case 410:
            (
                Phrase("It is gone", ja: "削除されました"),
                Phrase("Its owner has deleted it.", ja: "持ち主によって削除されました。")
            )
        case 429:
            (
                Phrase("Too much at once", ja: "アクセスが多すぎます"),
                Phrase("Try again in a while.", ja: "しばらくしてからもう一度お試しください。")
            )
        case 500...599:
            (
                Phrase("Something went wrong here", ja: "問題が発生しました"),
                Phrase("It is not your fault. Try again soon.", ja: "しばらくしてからもう一度お試しください。")
            )
        default: nil
        }
    }
}
