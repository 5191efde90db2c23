package import Domain
package import FoundationEssentials
internal import HTTP
internal import Store
package import Submitters
package import System

/// A connected account that a photo goes to.
package struct Recipient: Sendable {
    package let connection: Account
    package let submitter: any Submitter
    let settings: JSONValue
    /// Whether the post names the account, or its service; else it goes there because the account is enabled.
    var isNamed = false

    var isEnabled: Bool { AccountChoice.enabled.flag(in: settings) }

    /// How many pictures a post there may show.
    var maximumPictures: Int { submitter.mediaRule(settings).maximumPictures }

    /// Whether pictures can be posted there; else videos alone can.
    package var takesPictures: Bool { submitter.mediaRule(settings).takesPictures }

    /// Whether a photo of this kind is sent there: where videos alone are taken, a picture is not sent unless the account was named, and then
    /// refused in clear words.
    func isSent(_ kind: Photo.Kind) -> Bool { kind == .video || isNamed || takesPictures }

    /// The choice for a caption that is too long for it.
    package var longCaption: LongCaption { captions(ContentLabels()).long }

    func captions(_ labels: ContentLabels) -> AccountCaption { submitter.captions(settings, labels) }
}

extension PhotoActions {
    /// The accounts that a photo goes to: those that are named, else all that are enabled; a private photo that names none
    /// goes to the owner's own archive alone.
    func recipients(for draft: PhotoDraft, of user: User) async throws -> [Recipient] {
        // Posts of the client's own are all there are, unless it names accounts to send to.
        guard draft.services != nil || draft.posted.isEmpty else { return [] }
        let recipients = try await chooseRecipients(draft.services, of: user)
        guard draft.visibility == .private, draft.services == nil else { return recipients }
        return recipients.filter(\.submitter.description.isOwnArchive)
    }

    /// The accounts that names choose; nil chooses those that are enabled. A name is a connection's identifier, `service:account` with the
    /// account's own name, or a service's in any form the registry knows: then its enabled accounts, or all if none is.
    package func chooseRecipients(_ names: [String]?, of user: User) async throws -> [Recipient] {
        let recipients = try await possibleRecipients(of: user)
        guard let names else { return recipients.filter(\.isEnabled) }
        var chosen: [Recipient] = []
        for (index, name) in names.enumerated() {
            let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
            let (word, account) = parts.count == 2 ? (parts[0], parts[1]) : (name, nil)
            let service = context.registry[word]?.description.id
            let ofService = recipients.filter { recipient in
                recipient.connection.service == service
                    && (account.map { recipient.connection.account.lowercased() == $0.lowercased() } ?? true)
            }
            let enabled = account == nil ? ofService.filter(\.isEnabled) : []
            let matches =
                recipients.filter { $0.connection.id.description == name } + (enabled.isEmpty ? ofService : enabled)
            guard !matches.isEmpty else {
                throw InvalidField.invalid(
                    "#/services/\(index)",
                    service == nil
                        ? "There is no service \(name). There are \(context.registry.names.joined(separator: ", "))."
                        : "No account of \(name) is connected. `pics connect \(service ?? name)` connects one.")
            }
            for var match in matches where !chosen.contains(where: { $0.connection.id == match.connection.id }) {
                match.isNamed = true
                chosen.append(match)
            }
        }
        return chosen
    }

    /// All accounts of a user that photos are posted to, whether they are enabled or not; those at which each order is confirmed by a person are none.
    package func possibleRecipients(of user: User) async throws -> [Recipient] {
        try await context.store.connections(of: user.id).compactMap { record -> Recipient? in
            guard let submitter = context.registry[record.connection.service], !submitter.description.isOrdered else {
                return nil
            }
            return Recipient(
                connection: record.connection, submitter: submitter,
                settings: try JSONValue(parsing: Array(record.settings.utf8)))
        }
    }

    /// The texts of a draft for single accounts.
    ///
    /// - Throws: `InvalidField` for an account that is not connected.
    package func texts(of draft: PhotoDraft, of user: User) async throws -> [AccountID: String] {
        var texts: [AccountID: String] = [:]
        for (name, text) in draft.texts.sorted(by: { $0.key < $1.key }) {
            do {
                for recipient in try await chooseRecipients([name], of: user) { texts[recipient.connection.id] = text }
            } catch let error as InvalidField {
                throw InvalidField.invalid(InvalidField.pointer(to: name, in: "#/texts"), error.detail)
            }
        }
        return texts
    }

    /// The caption that each account will get: its own of `texts`, or else the photo's. `moment` is when the photo was taken, or else
    /// posted.
    package func plan(
        _ caption: String, texts: [AccountID: String] = [:], labels: ContentLabels = ContentLabels(), at moment: Date,
        in timeZone: Zone, code: ShortCode,
        for recipients: [Recipient]
    ) -> [(Recipient, PlannedCaption)] {
        let normalized = NormalizedCaption(caption)
        let shortURL = context.addresses.shortURL(code)
        return recipients.map { recipient in
            let captions = recipient.captions(labels)
            let own = texts[recipient.connection.id]
            // Most have no template, and normalizing is the dearest step.
            let text =
                captions.isPlain && own == nil
                ? normalized
                : NormalizedCaption(
                    captions.text(of: own ?? caption, moment: moment, timeZone: timeZone, shortURL: shortURL))
            return (recipient, captions.plan(text, shortURL: shortURL))
        }
    }

    /// In which zone the user's days begin.
    package func timeZone(of user: User) async throws -> Zone {
        Zone(orUTC: try await context.store.timeZone(of: user.id))
    }
}
