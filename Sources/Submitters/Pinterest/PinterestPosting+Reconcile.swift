internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

extension PinterestPosting {
    /// After a request, until a list that lacks its pin is believed. Pinterest states no delay.
    private static let listDelay: TimeInterval = 60
    private static let clockDifference: TimeInterval = 300

    /// Looks for the pin on its board: for one that leads to the photo, else for one of the same words.
    ///
    /// The order of a board's pins is not documented, and people change it: a list is read to its end, in several looks where it is long.
    func reconcile() async throws(SubmissionError) -> Reconciliation {
        let sent = await task.journal.value(Self.pinKey)
        let outcome = await OpenOutcome.recorded(in: task.journal)
        if let id = sent?["id"]?.string { return .found(receipt(id, text: outcome?.text ?? task.text)) }
        guard let outcome, let board = sent?["board"]?.string else { return .cannotTell }
        let wanted = Wanted(
            link: sent?["link"]?.string, words: Wanted.comparable(outcome.text),
            since: outcome.first - Self.clockDifference)
        let end = outcome.last + Self.listDelay
        let wait = end.timeIntervalSince(task.now())
        var way = await Way.recorded(in: task.journal, begunFrom: end) ?? Way(begun: task.now())
        // What an early look does not find may come yet: the whole way is gone later.
        let pages = wait > 0 ? 1 : Self.pagesOfALook
        for _ in 0..<pages {
            let page = try await api.pins(on: board, after: way.bookmark)
            for pin in page.pins {
                let match = wanted.match(pin)
                guard match != .other, try await !task.isTaken(pin.id) else { continue }
                if match == .same { return .found(receipt(pin.id, text: outcome.text)) }
                way.isUnclear = true
            }
            (way.bookmark, way.pages) = (page.bookmark, way.pages + 1)
            if page.bookmark == nil { break }
        }
        if wait > 0 { throw .notYet(checkAfter: .seconds(wait)) }
        guard way.bookmark == nil else {
            guard way.pages < Self.mostPages else { return .cannotTell }
            try await way.record(in: task.journal)
            throw .notYet(checkAfter: Self.lookPause)
        }
        try await Way.forget(in: task.journal)
        if way.isUnclear { return .cannotTell }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    // MARK: A look in several parts

    /// Of 100 pins each.
    private static let pagesOfALook = 5
    /// 20,000 pins; of a board that has more a person decides.
    private static let mostPages = 200
    private static let lookPause = Duration.seconds(5)

    /// How far looks have come through the list of a board.
    private struct Way: Sendable {
        private static let key = "look"

        /// When the first of the looks began.
        let begun: Date
        /// Where the next page begins; nil: at the start, or there are no more.
        var bookmark: String?
        var pages = 0
        /// Whether a pin may be the one that is looked for.
        var isUnclear = false

        init(begun: Date) { self.begun = begun }

        /// Nil where no look is under way, or one that began while the list may have lacked the pin.
        static func recorded(in journal: any Journal, begunFrom start: Date) async -> Way? {
            let json = await journal.value(key)
            guard let begun = json?["begun"]?.double.map(Date.init(timeIntervalSince1970:)), begun >= start,
                let bookmark = json?["bookmark"]?.string, let pages = json?["pages"]?.int
            else { return nil }
            var way = Way(begun: begun)
            (way.bookmark, way.pages) = (bookmark, Int(clamping: pages))
            way.isUnclear = json?["is_unclear"]?.bool == true
            return way
        }

        func record(in journal: any Journal) async throws(SubmissionError) {
            try await journal.record(
                Self.key,
                [
                    "begun": .double(begun.timeIntervalSince1970), "bookmark": JSONValue(bookmark),
                    "pages": JSONValue(pages), "is_unclear": .bool(isUnclear),
                ])
        }

        static func forget(in journal: any Journal) async throws(SubmissionError) {
            if await journal.value(key) != nil { try await journal.record(key, nil) }
        }
    }

    // MARK: What is looked for

    /// A pin that may have been made.
    private struct Wanted: Sendable {
        enum Match: Sendable {
            case same, other
            /// It may be the pin, and may be another.
            case unclear
        }

        /// As it was sent: the photo's own. Nil: none was.
        let link: String?
        /// Made comparable.
        let words: String
        let since: Date

        func match(_ pin: PinterestAPI.Pin) -> Match {
            if let time = pin.createdAt, time < since { return .other }
            if let link, pin.link == link { return .same }
            guard Self.comparable(pin.description) == words else { return .other }
            // Pins without words can be told apart by their links only.
            if words.isEmpty { return pin.link == nil ? .unclear : .other }
            // Pinterest may have changed the link.
            return link == nil ? .same : .unclear
        }

        /// Words without what a service may change: normal form and kinds of white space.
        static func comparable(_ text: String) -> String {
            text.composed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}
