internal import Domain
internal import FoundationEssentials
internal import Store

/// What is due for a browser, as notices. More than three of a kind become one: nobody reads twenty.
struct PushBatch {
    /// How many of a kind are told one by one.
    private static let single = 3

    /// A notice and the messages that it tells.
    struct Item {
        let notice: PushNotice
        /// Tells it from others of its kind.
        let subject: String
        let messages: [PushMessage]
    }

    private(set) var items: [Item] = []
    /// Messages of what is not so any more: nobody is told.
    private(set) var moot: [PushMessage] = []

    /// Reads what the messages are about, as it is now.
    ///
    /// - Throws: `StoreError`.
    init(_ messages: [PushMessage], of owner: UserID, store: PicsStore) async throws {
        let kinds = Dictionary(grouping: messages, by: \.kind)
        let posts = try await store.troubledSubmissions(subjects(kinds[.posts]), of: owner)
        add(
            kinds[.posts], posts.map { ($0.submission.id.uuid, .post($0.submission, $0.photo)) },
            folded: { .posts($0) })
        let accounts = kinds[.logins] == nil ? [] : try await store.connections(of: owner)
        let lost = accounts.map(\.connection).filter { $0.state == .needsLogin }
        add(
            kinds[.logins], lost.map { ($0.id.uuid, .login(service: $0.service, account: $0.account)) },
            folded: { .logins($0) })
        let liked = try await store.likedPhotos(subjects(kinds[.likes]), of: owner)
        let counts = Dictionary(liked.map { ($0.id.uuid, $0) }, uniquingKeysWith: { first, _ in first })
        let likes = kinds[.likes]?.map { message in
            var message = message
            if let photo = counts[message.subject] { message.known = photo.likes }
            return message
        }
        add(
            likes,
            (likes ?? []).compactMap { message in
                guard let photo = counts[message.subject], photo.people > 0, photo.likes > message.told else {
                    return nil
                }
                return (message.subject, .like(photo))
            }, folded: { .likes(photos: $0) })
        let answered = try await store.likedPhotos(subjects(kinds[.responses]), of: owner)
        let photos = Dictionary(answered.map { ($0.id.uuid, $0) }, uniquingKeysWith: { first, _ in first })
        add(
            kinds[.responses],
            (kinds[.responses] ?? []).compactMap { message in
                photos[message.subject].map { (message.subject, .response($0, count: Int(message.changes))) }
            }, folded: { .responses(photos: $0) })
        let reported = try await store.openReports(of: subjects(kinds[.reports]), for: owner)
        add(kinds[.reports], reported.map { ($0.photo.uuid, .report($0.code)) }, folded: { .reports($0) })
    }

    private func subjects(_ messages: [PushMessage]?) -> [UUID] { messages?.map(\.subject) ?? [] }

    private mutating func add(
        _ messages: [PushMessage]?, _ notices: [(subject: UUID, notice: PushNotice)],
        folded: (Int) -> PushNotice
    ) {
        guard let messages else { return }
        let notices = Dictionary(notices.map { ($0.subject, $0.notice) }, uniquingKeysWith: { first, _ in first })
        let told = messages.filter { notices[$0.subject] != nil }
        moot += messages.filter { notices[$0.subject] == nil }
        guard told.count <= Self.single else {
            items.append(Item(notice: folded(told.count), subject: "", messages: told))
            return
        }
        for message in told {
            guard let notice = notices[message.subject] else { continue }
            items.append(Item(notice: notice, subject: message.subject.uuidString, messages: [message]))
        }
    }
}
