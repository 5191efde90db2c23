internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
package import Store
internal import Submitters
internal import System

/// The way that an answer to a response takes.
package enum Reply: Sendable {
    /// It goes to the service that the response came from.
    case sent(Interaction)
    /// It stands on the photo's page.
    case comment(Response)
}

/// Comments on photos, and what owners do with responses and posts of others.
package struct InteractionActions: Sendable {
    private let context: ActionContext

    package init(_ context: ActionContext) { self.context = context }

    // MARK: Comments

    /// Writes a comment on a photo that the user may see, or on a response to it. A repetition under the same key makes no second.
    ///
    /// - Throws: `StoreError.notFound`, and `.gone` where the key's comment was deleted; `InvalidField` for a text that is empty or too
    ///   long; `ActionError.keyUsed`.
    package func comment(
        _ text: String, on photo: PhotoID, answering parent: ResponseID? = nil, by user: User,
        key: IdempotencyKey? = nil
    ) async throws -> Response {
        let text = try Self.checked(text)
        var view = try await context.store.photo(photo, viewer: user.id)
        // A photo that is part of a post has no page of its own.
        if let main = view.photo.partOf { view = try await context.store.photo(main, viewer: user.id) }
        let target = view.photo.id
        var parentKey: String?
        if let parent { parentKey = try await context.store.responseKey(parent, on: target) }
        let responseKey =
            "pics:\(key.map { SHA256Digest(of: "\($0.user) \($0.text)").hex } ?? InteractionID.make().description)"
        if key != nil, let kept = try await context.store.comment(key: responseKey, on: target) {
            guard !kept.isGone else { throw StoreError.gone }
            guard kept.response.text == text else { throw ActionError.keyUsed }
            return kept.response
        }
        let author = try await context.store.people([user.id])[user.id]
        let found = FoundResponse(
            kind: .comment, key: responseKey, parent: parentKey,
            author: FoundAuthor(
                key: user.id.description, name: author?.displayName ?? user.name, handle: "@\(user.name)",
                url: "\(context.addresses.base)/u/\(user.name)"), text: text, saidAt: Date(),
            isOwn: view.photo.owner == user.id)
        guard try await context.store.keep(found, to: target, source: Response.here) != nil,
            let kept = try await context.store.comment(key: responseKey, on: target)
        else { throw StoreError.notFound }
        context.pageChanged(view.photo.code)
        return kept.response
    }

    /// Deletes a comment that was written here, by its author or the owner of the photo.
    ///
    /// - Throws: `StoreError.notFound` for every other.
    package func deleteComment(_ id: ResponseID, by user: User) async throws(StoreError) {
        let photo = try await context.store.deleteComment(id, by: user.id)
        context.pageChanged(photo)
    }

    // MARK: Through an account

    /// Answers a response to one of the user's photos, or a post in their timeline: at its service, or on the photo's page where it came from no
    /// account. A repetition under the same key makes no second.
    ///
    /// - Throws: `StoreError.notFound`; `InvalidField` for a text that is empty, or too long for the service; `ActionError.keyUsed`.
    package func reply(
        _ text: String, to target: Interaction.Target, by user: User, key: IdempotencyKey? = nil
    ) async throws -> Reply {
        let text = try Self.checked(text)
        if case .response(let id) = target, let photo = try await context.store.photoOfComment(id, owner: user.id) {
            return .comment(try await comment(text, on: photo, answering: id, by: user, key: key))
        }
        let account = try await account(of: target, user, for: .reply)
        let sent = account.submitter.replyText(text, to: account.handle, account.settings)
        let rule = account.submitter.captionRule(account.settings)
        let plan = CaptionPlanner.plan(caption: sent, rule: rule, shortURL: context.addresses.base)
        guard !plan.isCut else {
            throw InvalidField.impossible(
                "#/text",
                "It is too long for \(account.submitter.description.name): \(rule.length(of: sent)) of \(plan.limit ?? 0)."
            )
        }
        let reply = try await context.store.reply(
            text, to: target, key: key.map(Self.digest), owner: user.id)
        guard reply.text == text, reply.target == target else { throw ActionError.keyUsed }
        return .sent(reply)
    }

    /// Favourites or reposts, or takes it back; again changes nothing.
    ///
    /// - Throws: `StoreError.notFound` also for what its account cannot do.
    package func set(
        _ kind: Interaction.Kind, to isWanted: Bool, with target: Interaction.Target, by user: User
    ) async throws -> Interaction {
        _ = try await account(of: target, user, for: kind)
        return try await context.store.set(kind, to: isWanted, with: target, owner: user.id)
    }

    /// Takes a reply back at its service.
    package func takeBack(_ reply: InteractionID, by user: User) async throws(StoreError) -> Interaction {
        try await context.store.setReply(reply, to: false, owner: user.id)
    }

    /// Tries a reply again that has failed.
    package func retry(_ reply: InteractionID, by user: User) async throws(StoreError) -> Interaction {
        try await context.store.setReply(reply, to: true, owner: user.id)
    }

    /// The kinds of interactions that an account of a service can have with a target.
    package func interactions(with target: Interaction.Target, at service: String) -> Set<Interaction.Kind> {
        (context.registry[service] as? any InteractingSubmitter)?.interactions(with: target, [:]) ?? []
    }

    private struct TargetAccount {
        let submitter: any InteractingSubmitter
        let settings: JSONValue
        let handle: String?
    }

    private func account(
        of target: Interaction.Target, _ user: User, for kind: Interaction.Kind
    ) async throws -> TargetAccount {
        let stored = try await context.store.interactingAccount(of: target, owner: user.id)
        let settings = try JSONValue(parsing: Array(stored.settings.utf8))
        guard let submitter = context.registry[stored.service] as? any InteractingSubmitter,
            submitter.interactions(with: target, settings).contains(kind)
        else { throw StoreError.notFound }
        return TargetAccount(submitter: submitter, settings: settings, handle: stored.handle)
    }

    private static func checked(_ text: String) throws(InvalidField) -> String {
        let text = try PhotoDraft.text(
            text.trimmed, "#/text", limit: Interaction.longestText)
        guard !text.isEmpty else { throw .impossible("#/text", "It must not be empty.") }
        return text
    }

    /// The same for every repetition of a request with a key.
    private static func digest(_ key: IdempotencyKey) -> [UInt8] { SHA256Digest(of: "\(key.user) \(key.text)").bytes }
}
