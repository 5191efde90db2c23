internal import Domain

extension SubmissionTask {
    /// The text to send under the service's rule, which may have changed since the text was planned.
    func text(under serviceRule: CaptionRule) -> String {
        let rule = AccountCaption(account.settings, serviceRule: serviceRule).rule
        guard CaptionPlanner.plan(caption: text, rule: rule, shortURL: shortURL).isCut else { return text }
        return CaptionPlanner.plan(caption: caption, rule: rule, shortURL: shortURL).text
    }

    /// What a receipt says of the text that was sent.
    func receipt(remoteID: String, url: String?, text sent: String) -> Receipt {
        Receipt(remoteID: remoteID, url: url, text: sent == text ? nil : sent)
    }
}
