internal import Accounts
package import Domain
internal import FoundationEssentials
internal import Logging
internal import Store
internal import Submitters

/// A page of an owner's home timeline.
package struct HomeTimeline: Sendable {
    package enum Item: Sendable {
        case post(TimelinePost, [Interaction])
        /// Posts that could not be read yet.
        case gap(TimelineGap)
    }

    /// Newest first.
    package let items: [Item]
    /// The post or gap before which the next page begins; nil at the end.
    package let next: TimelinePostID?
    /// Accounts whose newest posts could not be read, and why.
    package let problems: [AccountID: Problem]
}

/// The home timelines of an owner's accounts, as one: each page of a service is asked for once, when somebody reads as far, and kept.
package struct TimelineActions: Sendable {
    private let context: ActionContext

    package init(_ context: ActionContext) { self.context = context }

    /// Rounds of filling the gaps of one page of ours.
    private static let rounds = 2
    /// How long a reader waits for a service.
    private static let patience = Duration.seconds(8)

    private var services: [String] {
        context.registry.submitters.compactMap { $0 is any TimelineSubmitter ? $0.description.id : nil }
    }

    /// A page, newest first.
    ///
    /// Without `before` the accounts are asked for what is new, each once a minute at most. Gaps in the page are read first, where the service
    /// lets Pics; what remains is told with its reason.
    package func home(
        of user: User, before: TimelinePostID? = nil, photosOnly: Bool = false, limit: Int
    ) async throws -> HomeTimeline {
        if before == nil {
            try await read(try await context.store.claimTimelines(of: user.id, services: services), of: user)
        }
        var page = try await context.store.timeline(
            of: user.id, before: before, photosOnly: photosOnly, limit: limit)
        for _ in 0..<Self.rounds where !page.gaps.isEmpty {
            let due = try await context.store.claimGaps(page.gaps.map(\.id), of: user.id)
            guard !due.isEmpty else { break }
            try await read(due, of: user)
            page = try await context.store.timeline(of: user.id, before: before, photosOnly: photosOnly, limit: limit)
        }
        return try await timeline(page, before: before, of: user)
    }

    /// The posts that follow one, newest first, of those that were read.
    package func kept(
        of user: User, before: TimelinePostID?, after: TimelinePostID?, isFromBelow: Bool, limit: Int
    ) async throws -> HomeTimeline {
        try await timeline(
            try await context.store.timeline(
                of: user.id, before: before, after: after, isFromBelow: isFromBelow, limit: limit), of: user)
    }

    /// Reads a gap now. What cannot be read leaves its reason with the gap.
    ///
    /// - Throws: `StoreError.notFound`.
    package func fill(_ gap: TimelinePostID, of user: User) async throws {
        guard try await context.store.hasGap(gap, of: user.id) else { throw StoreError.notFound }
        try await read(try await context.store.claimGaps([gap], of: user.id, isAsked: true), of: user)
    }

    private func timeline(
        _ page: TimelinePage, before: TimelinePostID? = nil, of user: User
    ) async throws -> HomeTimeline {
        let done = Dictionary(
            grouping: try await context.store.interactions(posts: page.posts.map(\.id), owner: user.id), by: \.target)
        let posts = page.posts.map { ($0.id, HomeTimeline.Item.post($0, done[.post($0.id)] ?? [])) }
        let items = (posts + page.gaps.map { ($0.id, .gap($0)) }).sorted { $0.0 > $1.0 }
        return HomeTimeline(
            items: items.map(\.1),
            next: page.hasMore
                ? page.posts.last?.id
                : page.gaps.last.flatMap { gap in
                    // It is read when somebody asks for what comes behind the posts.
                    items.last?.0 == gap.id && gap.id != before ? gap.id : nil
                },
            problems: try await context.store.timelineProblems(of: user.id))
    }

    private func read(_ due: [DueTimeline], of user: User) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for timeline in due { group.addTask { try await read(timeline, of: user) } }
            try await group.waitForAll()
        }
    }

    /// Reads one page. A service that cannot be read leaves a note.
    private func read(_ due: DueTimeline, of user: User) async throws {
        do {
            let stored = try await context.store.account(due.connection, owner: user.id)
            guard let submitter = context.registry[stored.service] as? any TimelineSubmitter else { return }
            let reader = context.accounts.reader
            let account = try await reader.account(stored, for: submitter)
            let found = try await submitter.timeline(
                of: account, after: due.gap?.cursor, over: reader.transport.bounded(by: Self.patience))
            try await context.store.keep(
                found.posts, next: found.next, end: found.end, of: due, source: stored.service)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // One account that cannot be read takes no other with it.
            context.logger.info("timeline not read", ["connection": due.connection, "error": logText(of: error)])
            let failure = error as? SubmissionError
            try await context.store.note(failure?.problem ?? Problem(.internalError), of: due)
            if case .limited(_, let scope, let until)? = failure {
                try await context.store.holdLikes(
                    of: due.connection, wholeGate: scope == .app, for: Backoff.pause(until: until, now: Date()),
                    unread: [])
            }
        }
    }
}
