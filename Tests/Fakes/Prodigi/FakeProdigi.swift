internal import Crypto
package import Foundation
package import HTTP
internal import System

/// Prodigi's print API v4 with one account, as its reference describes it (read 2026-11-26).
package final class FakeProdigi: FakeService {
    package struct Options: Sendable {
        package var key = "test_5e1f7c4a"
        /// Of one card and its postage, in `currency`.
        package var itemPrice = "1.20"
        package var shippingPrice = "1.50"
        package var currency = "GBP"
        /// How long after an order its picture is fetched; 0: at once.
        package var fetchDelay: TimeInterval = 0
        /// The account's order edit window: until it has passed an order is on hold and is not listed.
        package var holdWindow: TimeInterval = 0
        /// After an order goes to the lab, until it can be cancelled no more.
        package var productionDelay: TimeInterval = 3600
        /// Issues of new orders, as error codes.
        package var issues: [String] = []
        /// Whether prices may be subject to sales tax.
        package var warnsOfTax = false
        /// Countries that the product goes to.
        package var shipsTo = ["GB", "DE", "US", "JP"]
        /// Whether the back needs a picture of its own.
        package var needsBack = false

        package init() {}
    }

    package static let sku = "GLOBAL-POST-MOH-6X4"

    struct Order {
        let id: String
        let reference: String
        let key: String?
        let createdAt: Date
        let body: JSONValue
        let pictureURL: String
        let issues: [String]
        let releasedAt: Date
        var media: PublishedMedia?
        var hasFailedFetch = false
        var isCancelled = false
        var isShipped = false
    }

    struct State {
        var options: Options
        var orders: [Order] = []
    }

    let state: Lock<State>
    private let fetch: FileFetcher
    let now: @Sendable () -> Date

    /// Starts without orders; `fetch` is how pictures are downloaded.
    package init(
        _ options: Options = Options(), fetch: @escaping FileFetcher, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        state = Lock(State(options: options))
        self.fetch = fetch
        self.now = now
    }

    /// Changes prices and the like.
    package func change(_ change: (inout Options) -> Void) { state.withLock { change(&$0.options) } }

    /// How many orders were ever made.
    package var orderCount: Int { state.withLock { $0.orders.count } }

    /// The recipients of all orders, as they were sent.
    package var recipients: [JSONValue] {
        state.withLock { $0.orders.map { $0.body["recipient"] ?? .null } }
    }

    /// Hands the newest order to the carrier.
    package func ship() {
        state.withLock { state in
            guard !state.orders.isEmpty else { return }
            state.orders[state.orders.count - 1].isShipped = true
        }
    }

    /// Orders that are not cancelled.
    package var effects: [PublishedPost] {
        state.withLock { state in
            state.orders.filter { !$0.isCancelled }.map { order in
                PublishedPost(
                    id: order.id, url: "", text: "", media: order.media.map { [$0] } ?? [], createdAt: order.createdAt)
            }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        let outcome =
            switch status {
            case 400, 422: "ValidationFailed"
            case 404: "EntityNotFound"
            case 405: "MethodNotAllowed"
            case 415: "InvalidContentType"
            case 504: "TimedOut"
            default: "InternalServerError"
            }
        return .json(["outcome": .string(outcome), "traceParent": "00-cb879e84-00"], HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            authorized("GET /v4.0/products/{sku}", product),
            authorized("POST /v4.0/quotes", quote),
            authorized("POST /v4.0/orders", order),
            authorized("GET /v4.0/orders", list),
            authorized("GET /v4.0/orders/{id}", show),
            authorized("GET /v4.0/orders/{id}/actions", actions),
            authorized("POST /v4.0/orders/{id}/actions/cancel", cancel),
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) async -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            guard request.fields["X-API-Key"] == state.withLock({ $0.options.key }) else { return refusal(401) }
            if request.method == .post, request.json == nil { return refusal(415) }
            await fetchPictures()
            return await response(request, parameters)
        }
    }

    /// Downloads the pictures whose time has come.
    private func fetchPictures() async {
        let time = now()
        let due = state.withLock { state in
            state.orders.filter {
                $0.media == nil && !$0.hasFailedFetch && !$0.isCancelled
                    && time >= $0.releasedAt + state.options.fetchDelay
            }
        }
        for order in due {
            let file = await fetch(order.pictureURL)
            state.withLock { state in
                guard let index = state.orders.firstIndex(where: { $0.id == order.id }) else { return }
                guard let file, ["image/jpeg", "image/png"].contains(file.mediaType) else {
                    state.orders[index].hasFailedFetch = true
                    return
                }
                state.orders[index].media = PublishedMedia(
                    sha256: SHA256Digest(of: file.bytes).hex, bytes: file.bytes.count, mediaType: file.mediaType,
                    altText: "")
            }
        }
    }

    // MARK: Products and quotes

    private func product(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard parameters["sku"].uppercased() == Self.sku else { return refusal(404) }
        let options = state.withLock { $0.options }
        return .json([
            "outcome": "Ok",
            "product": [
                "sku": .string(Self.sku), "description": "Fine art postcard, 15.2x10.2cm",
                "productDimensions": ["width": 6.0, "height": 4.0, "units": "in"],
                "attributes": ["paperType": ["MOH"]],
                "printAreas": ["default": ["required": true], "back": ["required": .bool(options.needsBack)]],
                "variants": [
                    [
                        "attributes": ["paperType": "MOH"],
                        "shipsTo": JSONValue(options.shipsTo),
                        "printAreaSizes": [
                            "default": ["horizontalResolution": 1875, "verticalResolution": 1275],
                            "back": ["horizontalResolution": 1875, "verticalResolution": 1275],
                        ],
                    ]
                ],
            ],
        ])
    }

    private static let methods = ["Budget", "Standard", "StandardPlus", "Express", "Overnight"]

    private func quote(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let options = state.withLock { $0.options }
        guard let json = request.json, let country = json["destinationCountryCode"]?.string, country.count == 2,
            let failures = itemFailures(json, needsURL: false)
        else { return invalid(["destinationCountryCode": .null]) }
        guard failures.isEmpty else { return invalid(failures) }
        if let method = json["shippingMethod"]?.string, !Self.methods.contains(method) {
            return invalid(["shippingMethod": .string(method)])
        }
        guard options.shipsTo.contains(country) else { return .json(["outcome": "Created", "quotes": []]) }
        let wanted = json["shippingMethod"]?.string.map { [$0] } ?? Self.methods
        var answer: JSONObject = [
            "outcome": options.warnsOfTax ? "CreatedWithIssues" : "Created",
            "quotes": JSONValue(
                wanted.map { method -> JSONValue in
                    [
                        "shipmentMethod": .string(method),
                        "costSummary": [
                            "items": [
                                "amount": .string(options.itemPrice), "currency": .string(options.currency),
                            ],
                            "shipping": [
                                "amount": .string(options.shippingPrice), "currency": .string(options.currency),
                            ],
                        ], "shipments": [],
                    ]
                }),
        ]
        if options.warnsOfTax {
            answer["issues"] = [
                ["errorCode": "destinationCountryCode.UsSalesTaxWarning", "description": "Tax may be added."]
            ]
        }
        return .json(.object(answer))
    }

    /// What is wrong with `items`; nil where there are none.
    private func itemFailures(_ json: JSONValue, needsURL: Bool) -> [String: JSONValue]? {
        guard let item = json["items"]?[0] else { return nil }
        var failures: [String: JSONValue] = [:]
        if item["sku"]?.string?.uppercased() != Self.sku { failures["items[0].sku"] = item["sku"] ?? .null }
        if item["copies"]?.int ?? 0 < 1 { failures["items[0].copies"] = item["copies"] ?? .null }
        if needsURL, !["fillPrintArea", "fitPrintArea", "stretchToPrintArea"].contains(item["sizing"]?.string ?? "") {
            failures["items[0].sizing"] = item["sizing"] ?? .null
        }
        let asset = item["assets"]?[0]
        if asset?["printArea"]?.string != "default" { failures["items[0].assets[0].printArea"] = .null }
        if needsURL, asset?["url"]?.string?.hasPrefix("http") != true {
            failures["items[0].assets[0].url"] = asset?["url"] ?? .null
        }
        return failures
    }

    /// Each member that is wrong, with the value that came.
    private func invalid(_ failures: [String: JSONValue]) -> FakeAnswer {
        .json(
            [
                "outcome": "ValidationFailed",
                "failures": .object(
                    JSONObject(
                        failures.sorted { $0.key < $1.key }.map { name, value in
                            (name, [["code": "NotValid", "providedValue": value]])
                        })),
            ], .badRequest)
    }

    // MARK: Orders

    private func order(_ request: FakeRequest, _ parameters: FakeParameters) async -> FakeAnswer {
        guard let json = request.json, let itemFailures = itemFailures(json, needsURL: true) else {
            return invalid(["items": .null])
        }
        var failures = itemFailures
        if !Self.methods.contains(json["shippingMethod"]?.string ?? "") { failures["shippingMethod"] = .null }
        let (recipient, address) = (json["recipient"], json["recipient"]?["address"])
        if recipient?["name"]?.string?.isEmpty ?? true { failures["recipient.name"] = .null }
        for member in ["line1", "postalOrZipCode", "countryCode", "townOrCity"]
        where address?[member]?.string?.isEmpty ?? true {
            failures["recipient.address.\(member)"] = address?[member] ?? .null
        }
        // A code that no post office has.
        if address?["postalOrZipCode"]?.string == "99999" {
            failures["recipient.address.postalOrZipCode"] = address?["postalOrZipCode"]
        }
        guard failures.isEmpty else { return invalid(failures) }
        let time = now()
        let (order, isNew) = state.withLock { state -> (Order, Bool) in
            if let key = json["idempotencyKey"]?.string, let known = state.orders.first(where: { $0.key == key }) {
                return (known, false)
            }
            let order = Order(
                id: "ord_\(840_797 + state.orders.count)", reference: json["merchantReference"]?.string ?? "",
                key: json["idempotencyKey"]?.string, createdAt: time, body: json,
                pictureURL: json["items"]?[0]?["assets"]?[0]?["url"]?.string ?? "", issues: state.options.issues,
                releasedAt: time + state.options.holdWindow)
            state.orders.append(order)
            return (order, true)
        }
        await fetchPictures()
        return state.withLock { state in
            let current = state.orders.first { $0.id == order.id } ?? order
            let isHeld = time < current.releasedAt
            let outcome =
                !isNew ? "AlreadyExists" : isHeld ? "OnHold" : current.issues.isEmpty ? "Created" : "CreatedWithIssues"
            return .json([
                "outcome": .string(outcome),
                // Of one that is on hold the id alone is told.
                "order": isHeld ? ["id": .string(current.id)] : described(current, state.options),
            ])
        }
    }

    private func described(_ order: Order, _ options: Options) -> JSONValue {
        let isInProduction = now() >= order.releasedAt + options.productionDelay
        let fetched = order.media != nil ? "Complete" : order.hasFailedFetch ? "Error" : "NotStarted"
        var issues = order.issues
        if order.hasFailedFetch { issues.append("order.items.assets.FailedToDownloaded") }
        var json = order.body.object ?? [:]
        json["id"] = .string(order.id)
        json["created"] = .string(Timestamp(order.createdAt).description)
        json["status"] = [
            "stage": order.isCancelled ? "Cancelled" : order.isShipped ? "Complete" : "InProgress",
            "issues": JSONValue(
                issues.map { code -> JSONValue in
                    var issue: JSONObject = [
                        "objectId": .string(order.id), "errorCode": .string(code),
                        "description": .string("\(code) at \(order.pictureURL)"),
                    ]
                    if code == "RequiresPaymentAuthorisation" {
                        issue["authorisationDetails"] = [
                            "authorisationUrl": "https://dashboard.prodigi.test/payment/97323"
                        ]
                    }
                    return .object(issue)
                }),
            "details": [
                "downloadAssets": .string(fetched), "printReadyAssetsPrepared": "NotStarted",
                "allocateProductionLocation": "NotStarted",
                "inProduction": isInProduction ? "InProgress" : "NotStarted",
                "shipping": order.isShipped ? "Complete" : "NotStarted",
            ],
        ]
        json["charges"] = []
        json["shipments"] =
            order.isShipped
            ? [
                [
                    "id": "shp_1", "status": "Shipped",
                    "tracking": ["url": "https://tracking.test/RM1", "number": "RM1"],
                ]
            ] : []
        return .object(json)
    }

    private func list(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let references = query["merchantReferences"]?.split(separator: ",").map(String.init)
        let (time, top) = (now(), min(query["top"].flatMap { Int($0) } ?? 10, 100))
        return state.withLock { state in
            let found = state.orders.reversed().filter { order in
                time >= order.releasedAt && references.map { $0.contains(order.reference) } ?? true
            }
            return .json([
                "outcome": "Ok", "orders": JSONValue(found.prefix(top).map { described($0, state.options) }),
                "hasMore": .bool(found.count > top),
            ])
        }
    }

    /// An order that is not on hold any more.
    private func find(
        _ parameters: FakeParameters, _ response: (inout State, Int) -> FakeAnswer
    ) -> FakeAnswer {
        let time = now()
        return state.withLock { state in
            guard
                let index = state.orders.firstIndex(where: { $0.id == parameters["id"] && time >= $0.releasedAt })
            else { return refusal(404) }
            return response(&state, index)
        }
    }

    private func show(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        find(parameters) { state, index in
            .json(["outcome": "Ok", "order": described(state.orders[index], state.options)])
        }
    }

    private func isCancellable(_ order: Order, _ options: Options) -> Bool {
        !order.isCancelled && !order.isShipped && now() < order.releasedAt + options.productionDelay
    }

    private func actions(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        find(parameters) { state, index in
            let isAvailable = isCancellable(state.orders[index], state.options)
            return .json(["outcome": "Ok", "cancel": ["isAvailable": isAvailable ? "Yes" : "No"]])
        }
    }

    private func cancel(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        find(parameters) { state, index in
            let outcome: String
            if isCancellable(state.orders[index], state.options) {
                state.orders[index].isCancelled = true
                outcome = "Cancelled"
            } else {
                outcome = state.orders[index].isCancelled ? "ActionNotAvailable" : "FailedToCancel"
            }
            return .json(["outcome": .string(outcome), "order": described(state.orders[index], state.options)])
        }
    }
}
