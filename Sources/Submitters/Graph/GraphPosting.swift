internal import Domain
internal import FoundationEssentials
internal import HTTP

/// One submission to a service that fetches files: a container for each, one more for several, and the request that publishes it.
struct GraphPosting<API: GraphContainerAPI>: Sendable {
    /// So many containers of a file may fail for reasons that the service does not tell.
    private static var mostFailures: Int { 3 }
    /// The service takes no longer than this for a file, or will never be done.
    private static var longestWork: TimeInterval { 3600 }
    /// A container that is younger may not be known everywhere yet ("wait on average 30 seconds", Threads API, "Posts").
    private static var settling: TimeInterval { 60 }
    /// After a request, until a list that lacks its post is believed.
    private static var listDelay: TimeInterval { 60 }
    /// After a request, as long as it may still be carried out.
    private static var longestDelay: TimeInterval { 600 }
    private static var clockDifference: TimeInterval { 600 }

    private static var containerKey: String { "container" }
    private static var carouselKey: String { "carousel" }
    private static var postKey: String { "post" }
    private static var textPost: String { "TEXT_POST" }

    let task: SubmissionTask
    let api: API

    private var client: ServiceClient { api.client }

    func submit() async throws(SubmissionError) -> Receipt {
        do throws(SubmissionError) {
            return try await post()
        } catch {
            guard case .rejected = error, await isQuotaUsed() else { throw error }
            throw client.quotaUsed()
        }
    }

    private func post() async throws(SubmissionError) -> Receipt {
        let isCarousel = task.pictures.count > 1
        if !isCarousel { try await forgetCarousel() }
        let key = isCarousel ? Self.carouselKey : Self.containerKey
        let container =
            if let place = task.answering {
                try await reply(at: place)
            } else {
                isCarousel ? try await carousel(task.text) : try await file(task.pictures[0], task.text)
            }
        let text = container.text ?? task.text
        do throws(SubmissionError) {
            let id = try await task.publish(text) { earlier throws(SubmissionError) in
                try await publish(container, earlier)
            }
            try await afterPublication { () throws(SubmissionError) in
                try await task.journal.record(Self.postKey, .string(id))
            }
            return try await afterPublished(id, text)
        } catch {
            guard case .gone(let problem) = error else { throw error }
            throw try await lost(container, key, problem)
        }
    }

    private func publish(
        _ container: GraphContainer, _ earlier: OpenOutcome?
    ) async throws(SubmissionError) -> String {
        do throws(SubmissionError) {
            return try await api.publish(container.id)
        } catch {
            switch error {
            case .gone(let problem), .rejected(let problem):
                // A container is published once: the earlier request may have done it.
                guard earlier == nil else { throw .unknownOutcome(problem, retryAfter: nil) }
                throw error
            default: throw error
            }
        }
    }

    private func afterPublished(_ id: String, _ text: String) async throws(SubmissionError) -> Receipt {
        let url = try await afterPublication { () throws(SubmissionError) in try await api.link(to: id) }
        return task.receipt(remoteID: id, url: url, text: text)
    }

    private func isQuotaUsed() async -> Bool {
        do throws(SubmissionError) {
            return try await api.isQuotaUsed(ofReplies: task.answering != nil)
        } catch {
            return false
        }
    }

    // MARK: Containers

    /// The finished container of a file; `text` is nil for a part of a carousel.
    private func file(_ picture: OutgoingPicture, _ text: String?) async throws(SubmissionError) -> GraphContainer {
        let container = try await finished(picture.key(Self.containerKey), text, parts: "") {
            () throws(SubmissionError) in
            try await make(picture, text)
        }
        picture.progress(container.bytes, container.bytes)
        return container
    }

    /// The finished container of a part of a thread.
    private func reply(at place: ThreadPlace) async throws(SubmissionError) -> GraphContainer {
        try await finished(Self.containerKey, task.text, parts: "") { () throws(SubmissionError) in
            do throws(SubmissionError) {
                return (try await api.makeContainer(.reply(to: place.parent, text: task.text)), 0)
            } catch {
                // As a container, a post may not be known everywhere at once.
                guard case .gone(let problem) = error, task.now() < place.parentAt + Self.settling else { throw error }
                throw .temporary(problem, retryAfter: .seconds(10))
            }
        }
    }

    /// Has the service fetch a file, at an address that is good for this attempt and the next.
    private func make(
        _ picture: OutgoingPicture, _ text: String?
    ) async throws(SubmissionError) -> (id: String, bytes: Int64) {
        let file = try await picture.file()
        let url = try await picture.address()
        let content = GraphContainer.Content.file(
            url: url, isVideo: task.photo.isVideo, altText: picture.altText, text: text)
        return (try await api.makeContainer(content), file.bytes)
    }

    /// The finished container of several pictures: all are asked for before the first is waited for.
    private func carousel(_ text: String) async throws(SubmissionError) -> GraphContainer {
        let parts = task.pictures.map(\.code.description).joined(separator: " ")
        return try await finished(Self.carouselKey, text, parts: parts) { () throws(SubmissionError) in
            for picture in task.pictures {
                _ = try await container(picture.key(Self.containerKey), nil, parts: "") { () throws(SubmissionError) in
                    try await make(picture, nil)
                }
            }
            var children: [String] = []
            for picture in task.pictures { children.append(try await file(picture, nil).id) }
            return (try await joined(children, text), 0)
        }
    }

    /// Forgets a carousel whose other pictures are gone, so that nobody looks for its post.
    private func forgetCarousel() async throws(SubmissionError) {
        guard await GraphContainer.recorded(Self.carouselKey, in: task.journal).container != nil else { return }
        try await GraphContainer.forget(Self.carouselKey, in: task.journal)
    }

    /// One that shows others; where the service does not know them any more, they are made anew at the next attempt.
    private func joined(_ children: [String], _ text: String) async throws(SubmissionError) -> String {
        do throws(SubmissionError) {
            return try await api.makeContainer(.carousel(children, text: text))
        } catch {
            guard case .gone(let problem) = error else { throw error }
            for picture in task.pictures {
                try await GraphContainer.forget(picture.key(Self.containerKey), in: task.journal)
            }
            throw .temporary(problem, retryAfter: nil)
        }
    }

    /// The container that the journal has under a key, else a new one.
    private func container(
        _ key: String, _ text: String?, parts: String,
        _ make: () async throws(SubmissionError) -> (id: String, bytes: Int64)
    ) async throws(SubmissionError) -> GraphContainer {
        let (known, made) = await GraphContainer.recorded(key, in: task.journal)
        // Words and pictures may have changed meanwhile.
        if let known, known.text == text, known.parts == parts { return known }
        let new = try await make()
        let container = GraphContainer(id: new.id, madeAt: task.now(), bytes: new.bytes, text: text, parts: parts)
        try await container.record(key, made: known == nil ? made + 1 : made, in: task.journal)
        return container
    }

    /// The same when it is ready to be published.
    private func finished(
        _ key: String, _ text: String?, parts: String,
        _ make: () async throws(SubmissionError) -> (id: String, bytes: Int64)
    ) async throws(SubmissionError) -> GraphContainer {
        // What has expired is made anew, once in an attempt.
        for _ in 0..<2 {
            let container = try await container(key, text, parts: parts, make)
            switch try await state(of: container) {
            case .finished:
                return container
            case .inProgress:
                let age = task.now().timeIntervalSince(container.madeAt)
                if age < Self.longestWork {
                    throw .notYet(checkAfter: .seconds(min(max(age / 2, task.photo.isVideo ? 20 : 5), 60)))
                }
                try await GraphContainer.forget(key, in: task.journal)
                throw .temporary(client.problem(.stillProcessing))
            case .published:
                // An earlier request has done it, whatever it was taken for: it is looked for, and nothing is sent.
                try await task.journal.arm()
                throw .unknownOutcome(SubmissionProblem(client.problem(.unconfirmed)), retryAfter: nil)
            case .failed(let fault):
                let made = await GraphContainer.recorded(key, in: task.journal).made
                try await GraphContainer.forget(key, in: task.journal)
                switch fault {
                case .notFetched: throw .temporary(client.problem(.fileNotFetched))
                case .other where made < Self.mostFailures: throw .temporary(client.problem(.uploadFailed))
                case .unfit, .other: throw .rejected(.fileRefused, ProblemParameters(service: client.service))
                }
            case .expired:
                try await GraphContainer.forget(key, in: task.journal)
            case nil:
                throw try await lost(container, key, SubmissionProblem(client.problem(.uploadLost)))
            }
        }
        throw .temporary(client.problem(.uploadLost))
    }

    /// The error of a container that the service does not know. It may not have come about everywhere yet; what is older does not come back.
    private func lost(
        _ container: GraphContainer, _ key: String, _ problem: SubmissionProblem
    ) async throws(SubmissionError) -> SubmissionError {
        if task.now() < container.madeAt + Self.settling { return .temporary(problem, retryAfter: .seconds(10)) }
        try await GraphContainer.forget(key, in: task.journal)
        return .temporary(problem, retryAfter: nil)
    }

    /// Nil when the service does not know it.
    private func state(of container: GraphContainer) async throws(SubmissionError) -> GraphContainer.State? {
        do throws(SubmissionError) {
            return try await api.state(of: container.id)
        } catch {
            if case .gone = error { return nil }
            throw error
        }
    }

    // MARK: A request without an answer

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        let outcome = await OpenOutcome.recorded(in: task.journal)
        let carousel = await GraphContainer.recorded(Self.carouselKey, in: task.journal).container
        let single = await GraphContainer.recorded(Self.containerKey, in: task.journal).container
        let recorded = carousel ?? single
        let text = outcome?.text ?? recorded?.text ?? task.text
        if let id = await task.journal.value(Self.postKey)?.string {
            return .found(task.receipt(remoteID: id, url: try await link(to: id), text: text))
        }
        guard let container = recorded else { return .cannotTell }
        let (first, last) = (outcome?.first ?? container.madeAt, outcome?.last ?? container.madeAt)
        let state = try await state(of: container)
        if state == .inProgress { return try wait(30, until: last + Self.longestWork) }
        let mediaType =
            task.answering != nil
            ? Self.textPost : carousel != nil ? "CAROUSEL_ALBUM" : task.photo.isVideo ? "VIDEO" : "IMAGE"
        let (matches, isComplete) = try await posts(of: text, mediaType, from: first, to: last)
        guard matches.isEmpty else {
            guard matches.count == 1 else { return .cannotTell }
            // Somebody has posted the same, or the container is told of too late.
            if state == .finished { return try wait(60, until: last + Self.longestDelay) }
            return .found(task.receipt(remoteID: matches[0], url: try await link(to: matches[0]), text: text))
        }
        switch state {
        case .published where isComplete: return try wait(60, until: last + Self.longestWork)
        case .finished, .expired, .failed:
            guard isComplete else { return .cannotTell }
            let pause = last.timeIntervalSince(task.now()) + Self.listDelay
            guard pause <= 0 else { throw .notYet(checkAfter: .seconds(pause)) }
            try await OpenOutcome.close(in: task.journal)
            return .absent
        case .published, .inProgress, nil: return .cannotTell
        }
    }

    /// Looks again after so many seconds; nobody can tell when it is too late for that.
    private func wait(_ seconds: Int64, until end: Date) throws(SubmissionError) -> Reconciliation {
        guard task.now() < end else { return .cannotTell }
        throw .notYet(checkAfter: .seconds(seconds))
    }

    /// The account's posts that a request may have made: of the same words and kind, and of its time.
    private func posts(
        of text: String, _ mediaType: String, from first: Date, to last: Date
    ) async throws(SubmissionError) -> (ids: [String], isComplete: Bool) {
        let times = first - Self.clockDifference...last + Self.longestWork + Self.clockDifference
        let (posts, isComplete) = try await candidates(since: times.lowerBound)
        var ids: [String] = []
        for post in posts
        where times.contains(post.at) && post.mediaType == mediaType
            && GraphPost.comparable(post.text) == GraphPost.comparable(text)
        {
            if try await !task.isTaken(post.id) { ids.append(post.id) }
        }
        return (ids, isComplete)
    }

    /// The account's posts; for a part of a thread, its answers to the post before.
    private func candidates(since start: Date) async throws(SubmissionError) -> (posts: [GraphPost], isComplete: Bool) {
        guard let place = task.answering else { return try await api.posts(since: start) }
        do throws(SubmissionError) {
            return try await api.replies(to: place.parent, below: place.root, since: start)
        } catch {
            // Who may post need not be allowed to read answers. That says nothing of the post.
            guard case .unauthorized(let problem) = error, problem.problem.code == .permissionDenied else {
                throw error
            }
            return ([], false)
        }
    }

    private func link(to post: String) async throws(SubmissionError) -> String? {
        do throws(SubmissionError) {
            return try await api.link(to: post)
        } catch {
            if case .gone = error { return nil }
            throw error
        }
    }
}
