internal import Domain
package import FoundationEssentials
package import HTTP

/// Posts photos to a channel or group at Telegram, as a bot.
///
/// Source: core.telegram.org/bots/api at version 10.1; read 2026-11-26.
package struct TelegramSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "telegram", name: "Telegram",
        credentialFields: [
            CredentialField("token", prompt: "Token of your bot, from @BotFather", isSecret: true),
            CredentialField("chat", prompt: "Channel or group: @name or its number"),
            CredentialField("base_url", prompt: "Address of the Bot API, if it is not Telegram's", defaultValue: ""),
        ],
        // "0-1024 characters after entities parsing"; clients count UTF-16.
        captionRule: .plain(.utf16Units, limit: 1024),
        mediaRule: MediaRule(
            // Width and height may be 10,000 together, of a panorama too; what people see has 2,560 at most.
            pictureTypes: ["image/jpeg", "image/png", "image/gif"], maximumPictureBytes: 10_000_000,
            maximumPixels: 12_000_000, videoTypes: ["video/mp4"], maximumVideoBytes: 50_000_000, maximumPictures: 10),
        // core.telegram.org/bots/faq: 20 messages a minute in a group.
        lane: LanePolicy(concurrency: 1, gap: .seconds(3)), takesAltText: false, position: .never,
        // A channel may be public or not.
        hasPublicLinks: false, note: "Add your bot to the channel as an administrator that may post messages.",
        credentialKind: .token, labels: [.sensitivity])

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let token = try entered.required("token", "The token of your bot")
        // It becomes a part of the path.
        guard token.wholeMatch(of: /[0-9]{1,20}:[A-Za-z0-9_-]{20,100}/) != nil else {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(
                    field: "token", label: "The token of your bot", example: "123456:ABC-DEF1234ghIkl-zyx57W2v"))
        }
        var settings = try BaseURL(entered["base_url"], policy: servers).settings.object ?? [:]
        let name = Self.chatName(try entered.required("chat", "The channel or group"))
        let api = api(.object(settings), token, chat: 0, over: transport, now: now)
        let bot = try await api.me()
        let chat: (id: Int64, title: String, username: String?, isChannel: Bool)
        do throws(SubmissionError) { chat = try await api.chat(name) } catch {
            guard case .unauthorized = error else { throw error }
            throw .rejected(
                .destinationMissing,
                ProblemParameters(service: "Telegram", label: "A channel or group of this name that the bot is in"))
        }
        let posting = self.api(.object(settings), token, chat: chat.id, over: transport, now: now)
        guard try await posting.mayPost(bot.id, isChannel: chat.isChannel) else {
            throw .rejected(.permissionDenied, ProblemParameters(service: "Telegram"))
        }
        settings["chat"] = .int(chat.id)
        if let username = chat.username { settings["username"] = .string(username) }
        return ConnectedAccount(
            remoteID: "\(bot.id)/\(chat.id)", name: chat.username.map { "@\($0)" } ?? chat.title,
            credentials: ["token": .string(token)], settings: .object(settings))
    }

    /// `@name` or a number; an address of t.me is taken too.
    private static func chatName(_ text: String) -> String {
        if Int64(text) != nil || text.hasPrefix("@") { return text }
        let name = text.split(separator: "/").last.map(String.init) ?? text
        return "@\(name)"
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> TelegramPosting {
        TelegramPosting(
            task: task, api: api(of: task.account, over: task.transport, now: task.now),
            username: task.account.settings["username"]?.string)
    }

    private func api(
        of account: OpenedAccount, over transport: any Transport, now: @escaping @Sendable () -> Date
    ) -> TelegramAPI {
        api(
            account.settings, account.credentials["token"]?.string ?? "", chat: account.settings["chat"]?.int ?? 0,
            over: transport, now: now)
    }

    private func api(
        _ settings: JSONValue, _ token: String, chat: Int64, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> TelegramAPI {
        TelegramAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: BaseURL(settings).or("https://api.telegram.org"), authorization: nil,
                addresses: servers.addresses), token: token, chat: chat)
    }
}

extension TelegramSubmitter: DeletingSubmitter, EditingSubmitter {
    /// Telegram lets a bot delete what it has posted within 48 hours, and longer as an administrator that may delete messages.
    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(of: post.account, over: post.transport, now: post.now)
        if let messages = TelegramAPI.Messages(post.remoteID, chat: api.chat) { try await api.delete(messages) }
    }

    package func edit(_ post: PublishedPost, text: String, altText: String) async throws(SubmissionError) {
        let api = api(of: post.account, over: post.transport, now: post.now)
        guard let messages = TelegramAPI.Messages(post.remoteID, chat: api.chat) else {
            throw .rejected(.changeUnsupported)
        }
        try await api.edit(messages, caption: text)
    }
}
