internal import Domain
package import FoundationEssentials
package import HTTP

/// Orders cards on paper at Prodigi, which prints them in many countries and sends them world-wide.
///
/// Source: as `ProdigiAPI`; read 2026-11-26.
package struct ProdigiSubmitter: Submitter {
    package let description = ServiceDescription(
        id: "prodigi", name: "Prodigi",
        credentialFields: [
            CredentialField("api_key", prompt: "API key of dashboard.prodigi.com", isSecret: true),
            CredentialField(
                "environment", prompt: "Environment: sandbox (tests, nothing is printed) or live (costs money)",
                defaultValue: Environment.sandbox.rawValue),
            CredentialField("sku", prompt: "Product (SKU) of the card", defaultValue: Self.usualProduct),
            CredentialField(
                "shipping", prompt: "Shipping: Budget or Standard", defaultValue: ShippingMethod.budget.rawValue),
            CredentialField("base_url", prompt: "Address of the API, if it is not Prodigi's", defaultValue: ""),
        ],
        captionRule: .plain(.codePoints),
        // No bound is documented.
        mediaRule: MediaRule(pictureTypes: ["image/jpeg", "image/png"], maximumPictureBytes: 20_000_000),
        lane: LanePolicy(concurrency: 1, gap: .seconds(1)), takesAltText: false, position: .never,
        hasPictureChoices: false, hasPublicLinks: false,
        note:
            "Each card costs money. Prodigi fetches the picture from this Pics, whose address must be reachable from everywhere. With an order edit window at Prodigi, orders can be cancelled there as long as it lasts.",
        credentialKind: .token, fetchesFiles: true, isOrdered: true)

    /// A card of 6 × 4 inches on heavy matte paper, which comes in an envelope.
    private static let usualProduct = "GLOBAL-POST-MOH-6X4"
    /// 3 mm at 300 dpi.
    private static let trimInset = 36

    private enum Environment: String {
        case sandbox, live

        var origin: String {
            self == .live ? "https://api.prodigi.com" : "https://api.sandbox.prodigi.com"
        }
    }

    private enum ShippingMethod: String, CaseIterable {
        case budget = "Budget"
        case standard = "Standard"
    }

    private let servers: ServerPolicy
    private let now: @Sendable () -> Date

    /// Takes which servers users may name, and the time while an account is being connected.
    package init(servers: ServerPolicy, now: @escaping @Sendable () -> Date = { Date() }) {
        self.servers = servers
        self.now = now
    }

    /// Reads the product, which the key is needed for. Prodigi tells no name of an account: it is known by its key.
    package func connect(
        _ entered: [String: String], over transport: any Transport
    ) async throws(SubmissionError) -> ConnectedAccount {
        let entered = EnteredValues(entered)
        let base = try BaseURL(entered["base_url"], policy: servers)
        let key = try entered.required("api_key", "The API key")
        guard let environment = Environment(rawValue: (entered["environment"] ?? "sandbox").lowercased()) else {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(field: "environment", label: "The environment", example: "sandbox"))
        }
        let shipping = (entered["shipping"] ?? ShippingMethod.budget.rawValue).lowercased()
        guard let method = ShippingMethod.allCases.first(where: { $0.rawValue.lowercased() == shipping }) else {
            throw .rejected(
                .valueInvalid, ProblemParameters(field: "shipping", label: "The shipping", example: "Budget"))
        }
        var settings = base.settings.object ?? [:]
        settings["environment"] = .string(environment.rawValue)
        let credentials: JSONValue = ["api_key": .string(key)]
        let api = api(.object(settings), credentials, over: transport, now: now)
        guard let product = try await api.product(entered["sku"] ?? Self.usualProduct) else {
            throw .productMissing(at: description.name, field: "sku")
        }
        guard product.isOnePicture else {
            throw .rejected(
                .valueInvalid,
                ProblemParameters(
                    field: "sku", label: "A product whose picture is one side of it", example: Self.usualProduct))
        }
        settings["shipping"] = .string(method.rawValue)
        settings["sku"] = .string(product.sku)
        settings["product"] = .string(product.name)
        settings["width"] = JSONValue(product.width)
        settings["height"] = JSONValue(product.height)
        settings["attributes"] = product.attributes
        settings["ships_to"] = .string(product.shipsTo.sorted().joined(separator: " "))
        return ConnectedAccount(
            remoteID: "\(environment.rawValue)/\(key.fingerprint)",
            name: environment == .sandbox ? "\(description.name) (sandbox)" : description.name,
            credentials: credentials, settings: .object(settings), picture: .missing)
    }

    package func submit(_ task: SubmissionTask) async throws(SubmissionError) -> Receipt {
        try await posting(task).submit()
    }

    package func reconcile(_ task: SubmissionTask) async throws(SubmissionError) -> Reconciliation {
        try await posting(task).reconcile()
    }

    private func posting(_ task: SubmissionTask) -> ProdigiPosting {
        let settings = task.account.settings
        return ProdigiPosting(
            task: task, api: api(settings, task.account.credentials, over: task.transport, now: task.now),
            formats: formats(settings), method: Self.method(settings),
            check: { recipient throws(SubmissionError) in try check(recipient, settings) })
    }

    /// An account that is not said to be live is a test.
    private static func environment(_ settings: JSONValue) -> Environment {
        settings["environment"]?.string.flatMap(Environment.init) ?? .sandbox
    }

    private static func method(_ settings: JSONValue) -> String {
        settings["shipping"]?.string ?? ShippingMethod.budget.rawValue
    }

    private func api(
        _ settings: JSONValue, _ credentials: JSONValue, over transport: any Transport,
        now: @escaping @Sendable () -> Date
    ) -> ProdigiAPI {
        ProdigiAPI(
            api: AccountAPI(
                client: ServiceClient(service: description.name, transport: transport, now: now),
                origin: BaseURL(settings).or(Self.environment(settings).origin),
                authorization: credentials["api_key"]?.string,
                addresses: servers.addresses, credentialField: "X-API-Key"))
    }
}

extension ProdigiSubmitter: PrintingSubmitter {
    /// The product that was chosen; nothing can be written on its back.
    package func formats(_ settings: JSONValue) -> [PrintFormat] {
        guard let sku = settings["sku"]?.string, let width = settings["width"]?.int,
            let height = settings["height"]?.int
        else { return [] }
        return [
            PrintFormat(
                id: sku, name: settings["product"]?.string ?? sku, width: Int(clamping: width),
                height: Int(clamping: height), trimInset: Self.trimInset, needsAllPixels: false)
        ]
    }

    package func isSandbox(_ settings: JSONValue) -> Bool { Self.environment(settings) == .sandbox }

    /// Prodigi checks no addresses; it wants a postal code of each.
    package func check(
        _ recipient: PostalAddress, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PostalAddress {
        try check(recipient, account.settings)
    }

    private func check(_ recipient: PostalAddress, _ settings: JSONValue) throws(SubmissionError) -> PostalAddress {
        let address = try recipient.checked()
        guard !address.postalCode.isEmpty else { throw PostalAddress.missing(.postalCode) }
        let shipsTo = settings["ships_to"]?.string ?? ""
        guard shipsTo.isEmpty || shipsTo.split(separator: " ").contains(Substring(address.country)) else {
            throw .countryNotServed(by: description.name)
        }
        return address
    }

    package func quote(
        _ order: PrintOrder, of account: OpenedAccount, over transport: any Transport
    ) async throws(SubmissionError) -> PrintQuote {
        let recipient = try check(order.recipient, account.settings)
        guard formats(account.settings).contains(where: { $0.id == order.format }) else {
            throw .productMissing(at: description.name)
        }
        return try await api(account.settings, account.credentials, over: transport, now: now)
            .quote(ProdigiItem(account.settings), to: recipient.country, by: Self.method(account.settings))
    }

    /// Two requests. An order in the account's edit window is known to Prodigi's own pages alone: it is ordered, and cancelled there.
    package func state(of post: PublishedPost) async throws(SubmissionError) -> PrintState {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        guard let order = try await api.order(post.remoteID) else { return PrintState(.ordered) }
        return order.state(
            isCancellable: try await api.isCancellable(post.remoteID) && !order.isCancelled, at: description.name)
    }

    package func delete(_ post: PublishedPost) async throws(SubmissionError) {
        let api = api(post.account.settings, post.account.credentials, over: post.transport, now: post.now)
        guard try await api.cancel(post.remoteID) else {
            throw .rejected(.tooLateToCancel, ProblemParameters(service: description.name))
        }
    }
}
