internal import Domain

extension SubmissionTask {
    /// The text to send under the service's rule, which may have changed since the text was planned.
    func text(under serviceRule: CaptionRule) -> String {
        let rule = AccountCaption(account.settings, serviceRule: serviceRule).rule
        guard CaptionPlanner.plan(caption: text, rule: rule, shortURL: shortURL).isCut else { return text }
        return CaptionPlanner.plan(caption: caption, rule: rule, shortURL: shortURL).text
    }

    /// The text for the receipt.
    func receipt(remoteID: String, url: String?, text sent: String) -> Receipt {
        Receipt(remoteID: remoteID, url: url, text: sent == text ? nil : sent)
    }
}

/// Cuts an alternative text to what a service takes.
///
/// - Parameters:
///   - text: What the photo's owner has written.
///   - limit: In Unicode code points, which is how both Mastodon and X count it.
/// - Returns: `text` itself when it fits, else as many whole characters as fit with a `…` behind them.
func altText(_ text: String, limit: Int) -> String {
    guard text.unicodeScalars.count > limit else { return text }
    var cut = ""
    var count = 1
    for character in text {
        count += character.unicodeScalars.count
        guard count <= limit else { break }
        cut.append(character)
    }
    return cut + "…"
}
