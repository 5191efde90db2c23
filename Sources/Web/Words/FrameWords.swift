/// What the frame of every page says.
extension Phrase {
    static let skipToContent = Phrase("Skip to the content", ja: "本文へ移動")
    static let yourSettings = Phrase("Your settings", ja: "設定")
    static let howPicsIsDoing = Phrase("How Pics is doing", ja: "稼働状況")
    static let theAPI = Phrase("The API", ja: "API")
    static let photosLiveHere = Phrase(
        "Photos live here, each behind its own short link.", ja: "ここには写真があります。一枚ずつ、短いリンクの先に。")
}
