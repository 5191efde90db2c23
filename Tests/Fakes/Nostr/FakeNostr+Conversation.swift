package import Crypto
internal import Foundation
internal import HTTP
internal import System

// What others say, as events that they have signed.
extension FakeNostr {
    /// The key of a person, which their name makes.
    package static func key(of person: String) -> SchnorrKey? {
        try? SchnorrKey(Secret(SHA256Digest(of: "person \(person)").bytes))
    }

    /// A person's event, made once.
    private func sign(
        _ person: String, _ kind: Int64, _ content: String, _ tags: [[String]], at time: Date
    ) -> FakeNostrEvent? {
        let name = "\(person) \(kind) \(content) \(tags) \(time)"
        if let known = signed.withLock({ $0[name] }) { return known }
        guard let key = Self.key(of: person) else { return nil }
        let event = FakeNostrEvent.sign(kind, content, tags, at: time, by: key)
        signed.withLock { $0[name] = event }
        return event
    }

    /// All that others have said and done, and who they are.
    func spoken() -> [FakeNostrEvent] {
        let talk = conversation.state.withLock { $0 }
        let own = state.withLock { state in state.events.values.flatMap { $0 } }
        var events: [FakeNostrEvent?] = talk.said.map { event(of: $0, talk, own, []) }
        for (post, people) in talk.likes {
            let kind = own.first { $0.id == post }?.kind ?? 1
            events += people.enumerated().map { place, person in
                sign(
                    person, 7, "+", [["e", post], ["p", Self.publicKey], ["k", "\(kind)"]], at: start + Double(place))
            }
        }
        for (post, people) in talk.reposts {
            events += people.map { sign($0, 16, "", [["e", post, ""], ["p", Self.publicKey]], at: start) }
        }
        events += talk.quotes.map { sign($0.person, 1, $0.text, [["q", $0.parent ?? ""]], at: $0.at) }
        for said in talk.home {
            let original = sign(said.person, 1, said.text, media(of: said), at: said.at)
            guard let reposter = said.reposter, let original else {
                events.append(original)
                continue
            }
            events.append(
                sign(
                    reposter, 6, Self.line(original.json), [["e", original.id, ""], ["p", original.author]], at: said.at
                ))
        }
        let people = Set(
            talk.said.map(\.person) + talk.home.flatMap { [$0.person] + [$0.reposter].compactMap(\.self) }
                + talk.quotes.map(\.person) + talk.likes.values.flatMap { $0 } + talk.reposts.values.flatMap { $0 })
        events += people.map { person in
            sign(
                person, 0, "{\"name\":\"\(person.capitalized)\",\"picture\":\"https://far.test/\(person).jpg\"}", [],
                at: start)
        }
        let followed = talk.home.flatMap { [$0.person] + [$0.reposter].compactMap(\.self) }
        if !followed.isEmpty,
            let bytes = Hex.decode("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"),
            let key = try? SchnorrKey(Secret(bytes))
        {
            let tags = Set(followed).sorted().compactMap { Self.key(of: $0) }.map { ["p", Hex.encode($0.publicKey)] }
            events.append(FakeNostrEvent.sign(3, "", tags, at: start, by: key))
        }
        return events.compactMap(\.self)
    }

    private var start: Date { Date(timeIntervalSince1970: 1_790_000_000) }

    private func media(of said: FakeConversation.Said) -> [[String]] {
        said.picture.map { [["imeta", "url \($0)", "m image/jpeg", "alt A lake", "dim 500x300"]] } ?? []
    }

    /// A reply; what it answers is an event of the account's, or another reply. Circles end: nobody can sign one.
    private func event(
        of said: FakeConversation.Said, _ talk: FakeConversation.State, _ own: [FakeNostrEvent], _ below: Set<String>
    ) -> FakeNostrEvent? {
        var parent = own.first { $0.id == said.parent }
        if parent == nil, let answered = talk.said.first(where: { $0.id == said.parent }), !below.contains(answered.id)
        {
            parent = event(of: answered, talk, own, below.union([said.id]))
        }
        guard let parent else { return nil }
        let tags: [[String]]
        if [1].contains(parent.kind) {
            let root = parent.tags.first { $0.count > 3 && $0[3] == "root" }?[1]
            tags =
                [["e", root ?? parent.id, "", "root"]] + (root == nil ? [] : [["e", parent.id, "", "reply"]])
                + [["p", parent.author], ["p", Self.publicKey]]
        } else {
            let roots = parent.tags.filter { ["E", "K", "P"].contains($0.first ?? "") }
            tags =
                (roots.isEmpty
                    ? [["E", parent.id, "", parent.author], ["K", "\(parent.kind)"], ["P", parent.author]] : roots)
                + [["e", parent.id, "", parent.author], ["k", "\(parent.kind)"], ["p", parent.author]]
        }
        return sign(said.person, parent.kind == 1 ? 1 : 1111, said.text, tags + media(of: said), at: said.at)
    }
}
