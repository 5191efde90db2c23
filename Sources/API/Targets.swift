internal import Domain
internal import Foundation
internal import HTTP
internal import Store
internal import Submitters

/// A connected account that a photo goes to.
struct Target: Sendable {
    let connection: Connection
    let submitter: any Submitter
    let settings: JSONValue

    var isEnabled: Bool { AccountUse(settings).isEnabled }

    /// How many pictures a post there may show.
    var maximumPictures: Int { submitter.mediaRule(settings).maximumPictures }

    var captions: AccountCaption { AccountCaption(settings, serviceRule: submitter.captionRule(settings)) }
}

extension API {
    /// The accounts that a photo goes to: those that are named, else all; a private photo that names none stays in the
    /// house, with the file service alone.
    func targets(for draft: PhotoDraft, of user: User) async throws -> [Target] {
        let targets = try await chooseTargets(draft.services, of: user)
        guard draft.visibility == .private, draft.services == nil else { return targets }
        return targets.filter { $0.connection.service == "file" }
    }

    /// The accounts that names choose; nil chooses those that are enabled. A name is a connection's identifier, or a
    /// service's in any form the registry knows: then its enabled accounts, or all if none is.
    func chooseTargets(_ names: [String]?, of user: User) async throws -> [Target] {
        let targets = try await store.connections(of: user.id).compactMap { record -> Target? in
            guard let submitter = registry[record.connection.service] else { return nil }
            return Target(
                connection: record.connection, submitter: submitter,
                settings: try JSONValue(parsing: Array(record.settings.utf8)))
        }
        guard let names else { return targets.filter(\.isEnabled) }
        var chosen: [Target] = []
        for (index, name) in names.enumerated() {
            let service = registry[name]?.description.id
            let ofService = targets.filter { $0.connection.service == service }
            let enabled = ofService.filter(\.isEnabled)
            let matches =
                targets.filter { $0.connection.id.description == name } + (enabled.isEmpty ? ofService : enabled)
            guard !matches.isEmpty else {
                throw RequestProblem.invalid(
                    "#/services/\(index)",
                    service == nil
                        ? "There is no service \(name). There are \(registry.names.joined(separator: ", "))."
                        : "No account of \(name) is connected. `pics connect \(service ?? name)` connects one.")
            }
            for match in matches where !chosen.contains(where: { $0.connection.id == match.connection.id }) {
                chosen.append(match)
            }
        }
        return chosen
    }

    /// What each account will get of a caption. `moment` is when the photo was taken, or else posted.
    func plan(
        _ caption: String, at moment: Date, in timeZone: TimeZone, code: ShortCode, for targets: [Target]
    ) -> [(Target, PlannedCaption)] {
        let normalized = NormalizedCaption(caption)
        let shortURL = addresses.shortURL(code)
        return targets.map { target in
            let captions = target.captions
            // Most have no template, and normalizing is the dearest step.
            let text =
                captions.isPlain
                ? normalized
                : NormalizedCaption(
                    captions.text(of: caption, moment: moment, timeZone: timeZone, shortURL: shortURL))
            return (target, CaptionPlanner.plan(text, rule: captions.rule, shortURL: shortURL))
        }
    }

    /// In which zone the user's days begin.
    func timeZone(of user: User) async throws -> TimeZone {
        TimeZone(identifier: try await store.timeZone(of: user.id)) ?? .gmt
    }
}
