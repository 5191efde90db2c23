package import Domain
internal import FoundationEssentials
internal import HTTP

/// What members of a room have said to a post, and who has reacted to it.
///
/// Source: Matrix specification v1.19, "Event annotations and reactions", "Threading", "Rich replies"; read 2026-11-26. Reactions and threads are
/// listed with the event; an answer outside of a thread is found among the messages of the room alone.
struct MatrixConversation: Sendable {
    /// The newest first; one for each person and sign at most is counted.
    var reactions: [MatrixEvent] = []
    /// The oldest first.
    var answers: [MatrixEvent] = []
    /// The newest change of an answer's words, by the answer.
    var changes: [String: MatrixEvent] = [:]
    var areReactionsComplete = true
    var areAnswersComplete = true

    /// Of each list, at most.
    private static let mostPages = 5
    /// The clock of somebody's server may go so long before that of the post's.
    private static let clockDifference: TimeInterval = 3600

    /// Reads it. `pages` of messages are looked through for answers, from the newest on.
    ///
    /// - Throws: `.gone` when the post is not there any more.
    static func read(
        _ post: MatrixEvents, in room: String, pages: Int = mostPages, _ api: MatrixAPI
    ) async throws(SubmissionError) -> MatrixConversation {
        let root = try await api.event(post.first, in: room)
        var (found, messages) = (MatrixConversation(), [String: MatrixEvent]())
        func add(_ event: MatrixEvent) {
            guard event.type == "m.room.message", !event.isRedacted else { return }
            if let change = event.latestChange { found.note(change, of: event) }
            if event.relationType == "m.replace" { return }
            messages[event.id] = event
        }
        for id in post.ids {
            let (events, isComplete) = try await api.relationsIfAny(of: id, in: room, pages: mostPages)
            for event in events {
                if event.type == "m.reaction", event.relationType == "m.annotation", event.target == id {
                    found.reactions.append(event)
                }
                add(event)
            }
            if !isComplete { (found.areReactionsComplete, found.areAnswersComplete) = (false, false) }
        }
        let (events, isComplete) = try await api.messages(in: room, since: root.at - Self.clockDifference, pages: pages)
        events.forEach(add)
        if !isComplete { found.areAnswersComplete = false }
        for change in events where change.relationType == "m.replace" {
            if let target = change.target, let event = messages[target] { found.note(change, of: event) }
        }
        found.answers = answers(to: post, among: messages.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) })
        return found
    }

    /// A change by the author of what it changes; the last counts.
    private mutating func note(_ change: MatrixEvent, of event: MatrixEvent) {
        guard change.sender == event.sender, change.content["m.new_content"] != nil else { return }
        if let known = changes[event.id], (known.at, known.id) > (change.at, change.id) { return }
        changes[event.id] = change
    }

    /// Those in a thread of the post, those that answer it, and those that answer one of them: an answer may be older than what it answers where
    /// clocks differ. In the order of `messages`.
    private static func answers(to post: MatrixEvents, among messages: [MatrixEvent]) -> [MatrixEvent] {
        let own = Set(post.ids)
        let others = messages.filter { !own.contains($0.id) }
        let answering = Dictionary(grouping: others.filter { $0.answered != nil }) { $0.answered ?? "" }
        let inThread = others.filter { $0.relationType == "m.thread" && $0.target.map(own.contains) == true }
        var (known, found) = (Set<String>(), inThread + post.ids.flatMap { answering[$0] ?? [] })
        while let event = found.popLast() {
            if known.insert(event.id).inserted { found += answering[event.id] ?? [] }
        }
        return others.filter { known.contains($0.id) }
    }
}

extension MatrixAPI {
    /// A server before version 1.3 lists none.
    fileprivate func relationsIfAny(
        of event: String, in room: String, pages: Int
    ) async throws(SubmissionError) -> (events: [MatrixEvent], isComplete: Bool) {
        do throws(SubmissionError) { return try await allRelations(to: event, in: room, pages: pages) } catch {
            guard case .gone = error else { throw error }
            return ([], true)
        }
    }

    /// Messages of a room from the newest back to `start`, and whether they are all.
    func messages(
        in room: String, since start: Date, pages: Int
    ) async throws(SubmissionError) -> (events: [MatrixEvent], isComplete: Bool) {
        var (events, from) = ([MatrixEvent](), String?.none)
        for _ in 0..<pages {
            guard let page = try await messages(in: room, from: from) else { return (events, false) }
            events += page.events.filter { $0.at >= start }
            if page.events.last.map({ $0.at < start }) == true { return (events, true) }
            guard let next = page.next, next != from else { return (events, true) }
            from = next
        }
        return (events, false)
    }
}

/// The words of an answer.
enum MatrixText {
    /// What a client older than version 1.13 puts before an answer, the words that it answers, is left out.
    static func plain(_ event: MatrixEvent, changed change: MatrixEvent?) -> String {
        let content = change?.content["m.new_content"] ?? event.content
        let body = content["body"]?.string ?? ""
        guard event.content["m.relates_to"]?["m.in_reply_to"] != nil, body.hasPrefix("> ") else { return body }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0.hasPrefix("> ") || $0 == ">" }.drop { $0.isEmpty }.joined(separator: "\n")
    }
}

extension MatrixSettings {
    /// An answer as a response to the post.
    func response(
        _ event: MatrixEvent, changed change: MatrixEvent? = nil, to post: MatrixEvents, names: [String: String] = [:]
    ) -> FoundResponse {
        FoundResponse(
            kind: .comment, key: event.id, parent: event.answered.flatMap { post.ids.contains($0) ? nil : $0 },
            author: author(event.sender, names), text: MatrixText.plain(event, changed: change),
            url: MatrixNames.link(to: event.id, in: room, at: server), saidAt: event.at, editedAt: change?.at,
            isOwn: event.sender == user)
    }

    /// A member of the room. Pictures of people are for members alone.
    func author(_ user: String, _ names: [String: String]) -> FoundAuthor {
        FoundAuthor(
            key: user, name: names[user] ?? String(user.dropFirst().prefix { $0 != ":" }), handle: user,
            url: MatrixNames.link(to: user))
    }
}

extension MatrixSubmitter: RespondingSubmitter {
    package func engagement(of post: PublishedPost) async throws(SubmissionError) -> Engagement {
        guard let events = MatrixEvents(receipt: post.remoteID) else { return Engagement() }
        let settings = MatrixSettings(post.account.settings)
        let found = try await MatrixConversation.read(
            events, in: settings.room, pages: 1, api(of: post.account, over: post.transport, now: post.now))
        return Engagement(likes: Set(found.reactions.map(\.sender)).count, comments: found.answers.count)
    }

    /// What is said in a room that nobody may enter without being asked stays there.
    package func responses(
        to post: PublishedPost, counted: Engagement, known: Set<Response.Kind>
    ) async throws(SubmissionError) -> ResponseList {
        guard let events = MatrixEvents(receipt: post.remoteID) else { return ResponseList() }
        let kinds = [Response.Kind.comment, .like].filter { counted.mayHave($0) || known.contains($0) }
        guard !kinds.isEmpty else { return ResponseList() }
        let settings = MatrixSettings(post.account.settings)
        let api = api(of: post.account, over: post.transport, now: post.now)
        guard try await api.isPublic(settings.room) else { return ResponseList(complete: Set(kinds)) }
        let found = try await MatrixConversation.read(events, in: settings.room, api)
        var list = ResponseList()
        let isAnybodyThere = !found.answers.isEmpty || !found.reactions.isEmpty
        let names = isAnybodyThere ? try await api.memberNames(of: settings.room) : [:]
        if kinds.contains(.comment) {
            list.found += found.answers.map {
                settings.response($0, changed: found.changes[$0.id], to: events, names: names)
            }
            if found.areAnswersComplete { list.complete.insert(.comment) }
        }
        if kinds.contains(.like) {
            var people = Set<String>()
            for reaction in found.reactions where people.insert(reaction.sender).inserted {
                list.found.append(
                    FoundResponse(
                        kind: .like, key: "like \(reaction.sender)", author: settings.author(reaction.sender, names),
                        saidAt: reaction.at, isOwn: reaction.sender == settings.user))
            }
            if found.areReactionsComplete { list.complete.insert(.like) }
        }
        return list
    }
}
