internal import Domain
package import FoundationEssentials
package import HTTP
internal import System

/// Orders postcards at Lob, which prints and mails them in the USA, to addresses there and abroad.
///
/// Source: as `LobAPI`; read 2026-11-26.
package struct LobSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "lob", name: "Lob",
        credentialFields: [
            CredentialField(
                "api_key", prompt: "Secret API key (test_ prints nothing, live_ costs money)", isSecret: true),
            CredentialField("price", prompt: "What Lob charges for a 4x6 card, such as 0.87 USD"),
            CredentialField(
                "sender", prompt: "Sender in the USA: name, street, city, state, ZIP code; for cards abroad",
                defaultValue: ""),
            CredentialField("base_url", prompt: "Address of the API, if it is not Lob's", defaultValue: ""),
        ],
        captionRule: .plain(.codePoints),
        // "Remote file URL": 5 MB; of uploads nothing is said.
        mediaRule: MediaRule(pictureTypes: ["image/jpeg"], maximumPictureBytes: 5_000_000),
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: false, position: .never,
        hasPictureChoices: false, hasPublicLinks: false,
        note:
            "Each card costs money. Lob tells no prices: Pics shows the one that you enter, and Lob's bill may differ.",
        credentialKind: .token, isOrdered: true)

    private static let origin = "https://api.lob.com"
    static let senderLabel = "The sender's postal address"

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Lob tells no name of an account: it is known by its key. The sender's address is kept with the key, sealed.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let base = try BaseURL(entered["base_url"], policy: servers)
        let key = try entered.required("api_key", "The API key")
        // Keys with `_pub_` may only check addresses.
        guard key.hasPrefix("test_") || key.hasPrefix("live_"), !key.contains("_pub_") else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "api_key", label: "The API key", example: "test_0dc8d51e"))
        }
        let price = try entered.required("price", "The price of a card")
        guard LobPrices(price) != nil else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "price", label: "The price of a card", example: "0.87 USD"))
        }
        let isSandbox = key.hasPrefix("test_")
        var credentials: JSONObject = ["api_key": .string(key)]
        let sender = try entered["sender"].map(Self.sender)
        if let sender { credentials["sender"] = sender.json }
        var settings = base.settings.object ?? [:]
        settings["is_sandbox"] = .bool(isSandbox)
        settings["price"] = .string(price)
        try await api(.object(settings), .object(credentials), over: transport, now: now).check()
        return ConnectedAccount(
            remoteID: "\(isSandbox ? "test" : "live")/\(key.fingerprint)",
            name: isSandbox ? "\(description.name) (test)" : description.name, credentials: .object(credentials),
            settings: .object(settings), picture: .missing)
    }

    /// Reads `Name, Street, City, State, ZIP`, with one more part behind the street where there are six.
    private static func sender(_ entered: String) throws(SubmissionError) -> PostalAddress {
        let parts = entered.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        do throws(SubmissionError) {
            guard 5...6 ~= parts.count else { throw PostalAddress.invalid(.line1) }
            let end = parts.count
            return try PostalAddress(
                name: parts[0], line1: parts[1], line2: end == 6 ? parts[2] : nil, city: parts[end - 3],
                region: parts[end - 2].trimmedOfSpaces, postalCode: parts[end - 1], country: "US"
            )
            .checked()
        } catch {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(
                    field: "sender", label: Self.senderLabel,
                    example: "Alice Lake, 1 Main St, Springfield, IL, 62701"))
        }
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit { order throws(SubmissionError) in
            let recipient = try Self.recipient(order.recipient)
            return (recipient, try quote(order, to: recipient, task.account))
        }
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> LobPosting {
        LobPosting(
            task: task,
            api: api(task.account.settings, task.account.credentials, over: task.transport, now: task.now),
            formats: formats(task.account.settings),
            sender: task.account.credentials["sender"].flatMap(PostalAddress.init))
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> LobAPI {
        LobAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: BaseURL(settings).or(Self.origin),
                authorization: AccountAPI.basic(credentials["api_key"]?.string ?? "", ""),
                addresses: servers.addresses))
    }

    private static func prices(_ settings: JSONValue) -> LobPrices? {
        settings["price"]?.string.flatMap(LobPrices.init)
    }
}

extension LobSubmitter: PrintingSubmitter {
    /// The sizes whose price the owner has entered.
    package func formats(_ settings: JSONValue) -> [PrintFormat] {
        let prices = Self.prices(settings)
        return LobSize.allCases.filter { prices?.price($0, isAbroad: false) != nil }.map(\.format)
    }

    package func isSandbox(_ settings: JSONValue) -> Bool { settings["is_sandbox"]?.bool != false }

    /// Lob corrects addresses in the USA when a card is ordered, and refuses what it cannot deliver; asking before costs money. It prints capitals.
    package func check(
        _ recipient: PostalAddress, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PostalAddress {
        let address = try Self.recipient(recipient)
        if address.country != "US" { try checkAbroad(account) }
        return address
    }

    /// In capitals, the territories of the USA as its states.
    private static func recipient(_ recipient: PostalAddress) throws(SubmissionError) -> PostalAddress {
        var address = recipient
        if territories.contains(address.country.uppercased()) {
            (address.region, address.country) = (address.country, "US")
        }
        address = try address.checked()
        guard !unserved.contains(address.country) else { throw .countryNotServed(by: "Lob") }
        return try PostalAddress(
            name: address.name.uppercased(), company: address.company?.uppercased(), line1: address.line1.uppercased(),
            line2: address.line2?.uppercased(), city: address.city.uppercased(), region: address.region?.uppercased(),
            postalCode: address.postalCode.uppercased(), country: address.country
        )
        .checked()
    }

    private static let territories: Set<String> = ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"]

    /// Countries of ISO 3166 that Lob's list lacks.
    private static let unserved = Set(
        """
        AM AX BL BV CC CF CX GF GG GP HM IM JE MF MQ NC PF PM PS RE SJ TF UM WF YT
        """
        .split(separator: " ").map(String.init))

    /// Cards abroad need a sender, and a price.
    private func checkAbroad(_ account: OpenedAccount) throws(SubmissionError) {
        guard account.credentials["sender"].flatMap(PostalAddress.init) != nil else {
            throw .rejected(.valueRequired, ProblemParameters(field: "sender", label: Self.senderLabel))
        }
        guard Self.prices(account.settings)?.abroad != nil else { throw .countryNotServed(by: description.name) }
    }

    /// The price that the owner has entered; nothing is asked.
    package func quote(
        _ order: PrintOrder, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PrintQuote {
        try quote(order, to: try Self.recipient(order.recipient), account)
    }

    private func quote(
        _ order: PrintOrder, to recipient: PostalAddress, _ account: OpenedAccount
    ) throws(SubmissionError) -> PrintQuote {
        let isAbroad = recipient.country != "US"
        if isAbroad { try checkAbroad(account) }
        guard let size = LobSize(rawValue: order.format), let prices = Self.prices(account.settings),
            prices.price(size, isAbroad: false) != nil
        else {
            throw .productMissing(at: description.name)
        }
        guard let price = prices.price(size, isAbroad: isAbroad) else { throw .countryNotServed(by: description.name) }
        return PrintQuote(total: price, isEstimate: true, shippingMethod: "usps_first_class")
    }

    package func state(of post: PublishedPost) async throws(SubmissionError) -> PrintState {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        guard let card = try await api.card(post.remoteID) else { return PrintState(.cancelled) }
        return card.state(at: post.now(), of: description.name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        guard try await api.cancel(post.remoteID) else {
            throw .rejected(.tooLateToCancel, ProblemParameters(service: description.name))
        }
    }
}
