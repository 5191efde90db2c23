package import Domain
internal import FoundationEssentials
package import HTTP
package import Store
internal import Submitters

extension PhotoActions {
    /// The filter that a query such as `q=boats&state=failed` asks for; a name without a value leaves its filter out, and names that
    /// filter nothing are left alone. Days are those of the user's time zone.
    ///
    /// - Throws: `InvalidField`; `StoreError`.
    package func filter(_ query: FormFields, of user: User) async throws -> PhotoFilter {
        func value(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        var filter = PhotoFilter()
        if let words = value("q") {
            filter.words = try Self.words(words)
        }
        filter.tag = try value("tag").map(Self.tag)
        filter.album = try value("album").flatMap(PhotoDraft.album)
        filter.state = try value("state").map { name in
            guard let state = Photo.State(rawValue: name) else {
                let names = Photo.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw InvalidField.invalid("#/state", "It must be one of \(names).")
            }
            return state
        }
        filter.service = try value("service").map { name in
            guard let service = context.registry[name]?.description.id else {
                throw InvalidField.invalid(
                    "#/service",
                    "There is no service \(name). There are \(context.registry.names.joined(separator: ", ")).")
            }
            return service
        }
        filter.visibility = try value("visibility").map(PhotoDraft.visibility)
        let times = try ["since", "until"].map { name in try value(name).map { try Self.time($0, "#/\(name)") } }
        if times.contains(where: { $0 != nil }) {
            let zone = try await timeZone(of: user)
            (filter.since, filter.until) = (times[0]?.date(in: zone), times[1]?.date(in: zone))
        }
        return filter
    }

    /// Words to search for: each costs a comparison with every text.
    private static func words(_ text: String) throws(InvalidField) -> String {
        let words = try PhotoDraft.text(text, "#/q", limit: 1000).split(whereSeparator: \.isWhitespace)
        guard words.count <= PhotoFilter.mostWords else {
            throw .invalid("#/q", "A search may have up to \(PhotoFilter.mostWords) words.")
        }
        return words.joined(separator: " ")
    }

    /// A hashtag with its sign or without.
    private static func tag(_ text: String) throws(InvalidField) -> String {
        guard let tag = CaptionEntity.hashtag(text) else {
            throw .invalid("#/tag", "It must be a hashtag, such as boats.")
        }
        return tag
    }

    /// A point in time, or the beginning of a day.
    private static func time(_ text: String, _ pointer: String) throws(InvalidField) -> ScheduledTime {
        guard let time = ScheduledTime(text.utf8.count == 10 ? "\(text)T00:00" : text) else {
            throw .invalid(pointer, "It must be a day such as 2026-12-24, or a time such as 2026-12-24T18:00+01:00.")
        }
        return time
    }
}
