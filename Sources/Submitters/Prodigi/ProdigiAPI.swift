internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of Prodigi's print API that Pics uses.
///
/// Answers repeat the recipient: nothing of them is kept but codes. Outcomes are compared without case, which the documentation mixes.
///
/// Source: "Prodigi API reference documentation for v4", sections Orders, Order actions, Quotes, Product details, Outcomes, Status; read 2026-11-26.
struct ProdigiAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    // MARK: Products and prices

    /// `GET /products/{sku}`; nil where there is none.
    func product(_ sku: String) async throws(SubmissionError) -> ProdigiProduct? {
        let response = try await api.send(.get, "/v4.0/products/\(PercentEncoding.encode(sku))")
        if response.status == .notFound { return nil }
        guard let product = try success(response)["product"] else { throw client.unreadable }
        return ProdigiProduct(product)
    }

    /// `POST /quotes`: the price by one way of sending.
    func quote(_ item: ProdigiItem, to country: String, by method: String) async throws(SubmissionError) -> PrintQuote {
        let response = try await api.send(
            .post, "/v4.0/quotes",
            json: [
                "shippingMethod": .string(method), "destinationCountryCode": .string(country),
                "items": [item.json(asset: ["printArea": .string(ProdigiProduct.area)])],
            ])
        let json = try success(response)
        guard let quotes = json["quotes"]?.array else { throw client.unreadable }
        guard
            let quote = quotes.first(where: {
                $0["shipmentMethod"]?.string?.lowercased() == method.lowercased()
            })
        else { throw .countryNotServed(by: client.service) }
        let summary = quote["costSummary"]
        guard let items = PrintPrice(cost: summary?["items"]), let shipping = PrintPrice(cost: summary?["shipping"]),
            let sum = items + shipping
        else { throw client.unreadable }
        // Newer answers tell a total with taxes; where the parts are more, the parts count.
        let total = PrintPrice(cost: summary?["totalCost"]).flatMap { $0.isCovered(by: sum) ? nil : $0 } ?? sum
        guard total.currency == sum.currency else { throw client.unreadable }
        let issues = (json["issues"]?.array ?? []) + (quote["issues"]?.array ?? [])
        return PrintQuote(
            total: total, print: items, post: shipping,
            isEstimate: issues.contains { $0["errorCode"]?.string?.lowercased().contains("tax") == true },
            shippingMethod: method)
    }

    // MARK: Orders

    /// `POST /orders`: orders. The same key gives the earlier order back, however long ago it was.
    func order(
        _ item: ProdigiItem, picture: String, to recipient: PostalAddress, by method: String, key: String
    ) async throws(SubmissionError) -> ProdigiOrder {
        let response = try await api.send(
            .post, "/v4.0/orders",
            json: [
                "merchantReference": .string(key), "idempotencyKey": .string(key), "shippingMethod": .string(method),
                "recipient": Self.recipient(recipient),
                "items": [
                    item.json(
                        asset: ["printArea": .string(ProdigiProduct.area), "url": .string(picture)],
                        sizing: "fillPrintArea")
                ],
            ], .publishing)
        return try order(in: response, .publishing)
    }

    /// `GET /orders?merchantReferences=`: the order of a key; nil where none is listed. One that waits in the account's edit window may not be.
    func order(of key: String) async throws(SubmissionError) -> ProdigiOrder? {
        let query: FormFields = ["merchantReferences": key, "top": "10"]
        let response = try await api.send(.get, "/v4.0/orders?\(query.encoded)")
        guard let orders = try success(response)["orders"]?.array else { throw client.unreadable }
        // The key is asked for once more: a filter that is not understood gives all orders.
        return orders.compactMap(ProdigiOrder.init).first { $0.reference == key }
    }

    /// `GET /orders/{id}`; nil where it is not known, as in the account's edit window.
    func order(_ id: String) async throws(SubmissionError) -> ProdigiOrder? {
        let response = try await api.send(.get, path(id))
        return response.status == .notFound ? nil : try order(in: response)
    }

    private func order(
        in response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> ProdigiOrder {
        guard let order = try success(response, role)["order"].flatMap(ProdigiOrder.init) else {
            throw client.unreadable(role)
        }
        return order
    }

    /// `GET /orders/{id}/actions`: whether an order can be cancelled.
    func isCancellable(_ id: String) async throws(SubmissionError) -> Bool {
        let response = try await api.send(.get, "\(path(id))/actions")
        if response.status == .notFound { return false }
        return try success(response)["cancel"]?["isAvailable"]?.string?.lowercased() == "yes"
    }

    /// `POST /orders/{id}/actions/cancel`: whether it is cancelled, now or before.
    func cancel(_ id: String) async throws(SubmissionError) -> Bool {
        let response = try await api.send(.post, "\(path(id))/actions/cancel", json: [:])
        if response.status == .notFound { return false }
        guard let outcome = try success(response)["outcome"]?.string else { throw client.unreadable }
        if outcome.lowercased() == "cancelled" { return true }
        return try await order(id)?.isCancelled == true
    }

    private func path(_ id: String) -> String { "/v4.0/orders/\(PercentEncoding.encode(id))" }

    private static func recipient(_ address: PostalAddress) -> JSONValue {
        // A line for a company is not among the members.
        let lines = [address.company, address.line1, address.line2].compactMap(\.self)
        let name = address.name.isEmpty ? lines[0] : address.name
        let streets = address.name.isEmpty ? Array(lines.dropFirst()) : lines
        return [
            "name": .string(name),
            "address": [
                "line1": .string(streets[0]),
                "line2": JSONValue(streets.count > 1 ? streets.dropFirst().joined(separator: ", ") : nil),
                "postalOrZipCode": .string(address.postalCode), "countryCode": .string(address.country),
                "townOrCity": .string(address.city), "stateOrCounty": JSONValue(address.region),
            ],
        ]
    }

    // MARK: Failures

    /// The JSON of an answer that says yes.
    private func success(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> JSONValue {
        guard response.status.isSuccess else { throw failure(response, role) }
        guard let json = response.looseJSON else { throw client.unreadable(role) }
        return json
    }

    /// The error of an answer without success. `failures` names the members that are wrong, with the values: only names and codes are kept.
    private func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let json = response.looseJSON
        let failures = json?["failures"]?.object?.map { ($0.name, $0.value) } ?? []
        let codes = failures.flatMap { [$0.0] + ($0.1.array ?? []).compactMap { $0["code"]?.string } }
        let bare = response.keeping([json?["outcome"]?.string].compactMap(\.self) + codes)
        guard response.status == .badRequest else { return client.failure(bare, role) }
        for (member, _) in failures {
            guard let field = Self.fields.first(where: { member.lowercased().contains($0.key) })?.value else {
                continue
            }
            return .rejected(
                client.problem(
                    .valueInvalid, bare, ProblemParameters(field: field.rawValue, label: field.label)))
        }
        return client.refusedPost(bare)
    }

    private static let fields: [(key: String, value: PostalAddress.Field)] = [
        ("recipient.name", .name), ("line1", .line1), ("line2", .line2), ("postalorzipcode", .postalCode),
        ("countrycode", .country), ("townorcity", .city), ("stateorcounty", .region),
    ]
}

/// The item of an order: one card.
struct ProdigiItem: Sendable {
    let sku: String
    /// Of the product's variant.
    let attributes: JSONValue

    init(_ settings: JSONValue) {
        sku = settings["sku"]?.string ?? ""
        attributes = settings["attributes"] ?? [:]
    }

    func json(asset: JSONValue, sizing: String? = nil) -> JSONValue {
        var json: JSONObject = ["sku": .string(sku), "copies": 1, "attributes": attributes, "assets": [asset]]
        if let sizing { json["sizing"] = .string(sizing) }
        return .object(json)
    }
}
