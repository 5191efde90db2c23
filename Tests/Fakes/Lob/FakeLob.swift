internal import Crypto
package import Foundation
internal import HTTP
internal import System

/// Lob's Print & Mail API with one account, as lob/lob-openapi describes it (API 1.22.0; read 2026-11-26).
package final class FakeLob: FakeService {
    package struct Options: Sendable {
        package var key = "test_0dc8d51e0acffcb1880e0f19c79b2f5b0cc"
        package var cancellationWindow: TimeInterval = 300
        /// How long an idempotency key is known.
        package var keyLife: TimeInterval = 24 * 3600
        /// Whether the account has a verified way to pay.
        package var hasPayment = true

        package init() {}
    }

    struct Card {
        let id: String
        let key: String?
        let createdAt: Date
        let members: [String: String]
        let message: String
        let media: PublishedMedia
        var isDeleted = false
        var status = "processed"
        var events: [String] = []
    }

    struct State {
        var options: Options
        var cards: [Card] = []
    }

    let state: Lock<State>
    private let now: @Sendable () -> Date

    /// Starts without cards.
    package init(_ options: Options = Options(), now: @escaping @Sendable () -> Date = { Date() }) {
        state = Lock(State(options: options))
        self.now = now
    }

    package func change(_ change: (inout Options) -> Void) { state.withLock { change(&$0.options) } }

    /// How many cards were ever ordered.
    package var cardCount: Int { state.withLock { $0.cards.count } }

    /// The members of the forms that ordered, without pictures.
    package var forms: [[String: String]] { state.withLock { $0.cards.map(\.members) } }

    /// Moves the newest card on: a render status such as `failed`, or an event such as `Delivered`.
    package func move(status: String? = nil, event: String? = nil) {
        state.withLock { state in
            guard !state.cards.isEmpty else { return }
            let last = state.cards.count - 1
            if let status { state.cards[last].status = status }
            if let event { state.cards[last].events.append(event) }
        }
    }

    /// Cards that are not cancelled.
    package var effects: [PublishedPost] {
        state.withLock { state in
            state.cards.filter { !$0.isDeleted }.map { card in
                PublishedPost(id: card.id, url: "", text: card.message, media: [card.media], createdAt: card.createdAt)
            }
        }
    }

    package func refusal(_ status: Int) -> FakeAnswer {
        let code =
            switch status {
            case 401: "unauthorized"
            case 403: "publishable_key_not_allowed"
            case 404: "not_found"
            case 409: "conflict"
            case 413: "file_size_exceeds_limit"
            case 422: "invalid"
            case 429: "rate_limit_exceeded"
            case 503: "service_unavailable"
            default: "internal_server_error"
            }
        return error(status, code, "\(status)")
    }

    private func error(_ status: Int, _ code: String, _ message: String) -> FakeAnswer {
        .json(
            ["error": ["message": .string(message), "status_code": JSONValue(status), "code": .string(code)]],
            HTTPStatus(code: status))
    }

    package var routes: [FakeRoute] {
        [
            authorized("GET /v1/addresses") { _, _ in
                .json(["data": [], "object": "list", "count": 0, "next_url": .null, "previous_url": .null])
            },
            authorized("POST /v1/postcards", create), authorized("GET /v1/postcards", list),
            authorized("GET /v1/postcards/{id}") { [self] request, parameters in
                find(parameters) { state, index in .json(json(state.cards[index])) }
            },
            authorized("DELETE /v1/postcards/{id}", delete),
        ]
    }

    private func authorized(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters) -> FakeAnswer
    ) -> FakeRoute {
        FakeRoute(name) { [self] request, parameters in
            let expected = Base64.encode(Array("\(state.withLock { $0.options.key }):".utf8))
            guard request.fields["Authorization"] == "Basic \(expected)" else { return refusal(401) }
            return response(request, parameters)
        }
    }

    // MARK: Cards

    private static let sizes = ["4x6": (1875, 1275), "6x9": (2775, 1875), "6x11": (3375, 1875)]

    private func create(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let parts = request.form, let front = parts["front"], front.filename != nil else {
            return error(422, "bad_request", "front is required")
        }
        let members = parts.filter { $0.value.filename == nil }.mapValues(\.text)
        let options = state.withLock { $0.options }
        guard options.hasPayment else { return error(401, "PAYMENT_METHOD_UNVERIFIED", "Add a payment method.") }
        let size = members["size"] ?? "4x6"
        guard Self.sizes[size] != nil else { return error(422, "invalid", "size must be one of 4x6, 6x9, 6x11") }
        guard ["marketing", "operational"].contains(members["use_type"] ?? "") else {
            return error(422, "mail_use_type_can_not_be_null", "use_type must be one of marketing or operational.")
        }
        guard ["image/jpeg", "image/png", "application/pdf"].contains(front.mediaType ?? "") else {
            return error(422, "invalid_file", "front")
        }
        guard front.bytes.count <= 5 << 20 else { return error(422, "file_size_exceeds_limit", "front") }
        guard let back = members["back"], back.contains("<"), back.count <= 10_000, !back.contains("{{") else {
            return error(422, "invalid_template_html", "back")
        }
        if let refusal = address("to", members) ?? from(members, size) { return refusal }
        let key = request.fields["Idempotency-Key"]
        guard key?.count ?? 0 <= 256 else { return error(422, "invalid", "Idempotency-Key") }
        let time = now()
        return state.withLock { state in
            let known = state.cards.first { card in
                key != nil && card.key == key && time < card.createdAt + state.options.keyLife
            }
            if let known { return .json(json(known)) }
            let card = Card(
                id: "psc_208e45e48d2712\(90 + state.cards.count)", key: key, createdAt: time, members: members,
                message: Self.message(back),
                media: PublishedMedia(
                    sha256: SHA256Digest(of: front.bytes).hex, bytes: front.bytes.count,
                    mediaType: front.mediaType ?? "", altText: ""))
            state.cards.append(card)
            return .json(json(card))
        }
    }

    private func from(_ members: [String: String], _ size: String) -> FakeAnswer? {
        if members["to[address_country]"] ?? "US" != "US" {
            guard size == "4x6" else { return error(422, "invalid_international_feature", size) }
            guard members["from[address_line1]"] != nil else { return error(422, "bad_request", "from is required") }
        }
        guard members.keys.contains(where: { $0.hasPrefix("from[") }) else { return nil }
        guard members["from[address_country]"] ?? "US" == "US" else {
            return error(422, "foreign_return_address", "from")
        }
        return address("from", members)
    }

    /// What is wrong with an address; the message repeats it.
    private func address(_ name: String, _ members: [String: String]) -> FakeAnswer? {
        func member(_ suffix: String) -> String { members["\(name)[\(suffix)]"] ?? "" }
        let lines = ["name", "company", "address_line1", "address_line2", "address_city", "address_zip"].map(member)
        func refused(_ code: String) -> FakeAnswer { error(422, code, "\(name): \(lines.joined(separator: ", "))") }
        guard !member("name").isEmpty || !member("company").isEmpty, !member("address_line1").isEmpty else {
            return refused("bad_request")
        }
        guard member("name").count <= 40, member("company").count <= 40 else { return refused("bad_request") }
        guard members["\(name)[address_country]"] ?? "US" == "US" else {
            let isPlaced = !member("address_city").isEmpty && !member("address_state").isEmpty
            return isPlaced || !member("address_zip").isEmpty ? nil : refused("bad_request")
        }
        guard member("address_line1").count <= 64, member("address_line2").count <= 64,
            member("address_state").wholeMatch(of: /[A-Za-z]{2}/) != nil, !member("address_city").isEmpty,
            member("address_zip").wholeMatch(of: /\d{5}(-\d{4})?/) != nil
        else { return refused("bad_request") }
        // Test mode knows such addresses too: one that nobody can deliver to.
        return member("address_zip") == "00000" ? refused("failed_deliverability_strictness") : nil
    }

    /// What people read of the back.
    private static func message(_ html: String) -> String {
        let body = html.components(separatedBy: "<div id=\"t\">").dropFirst().first ?? ""
        var text = body.components(separatedBy: "</div>")[0]
        for scalar in ["'", "\"", "<", ">", "{", "}", "`", "&"].compactMap({ $0.unicodeScalars.first }) {
            text = text.replacing("&#\(scalar.value);", with: String(scalar))
        }
        return text
    }

    private func json(_ card: Card) -> JSONValue {
        func address(_ name: String) -> JSONValue {
            var json: JSONObject = ["object": "address"]
            for member in card.members.sorted(by: { $0.key < $1.key }) where member.key.hasPrefix("\(name)[") {
                json[String(member.key.dropFirst(name.count + 1).dropLast())] = .string(member.value.uppercased())
            }
            return .object(json)
        }
        var json: JSONObject = [
            "id": .string(card.id), "to": address("to"), "from": address("from"), "carrier": "USPS",
            "metadata": ["pics": JSONValue(card.members["metadata[pics]"])],
            "url": .string("https://lob-assets.test/postcards/\(card.id).pdf?signature=NfHHLBSr5tOHA"),
            "date_created": .string(Timestamp(card.createdAt).description),
            "send_date": .string(Timestamp(card.createdAt).description), "expected_delivery_date": "2026-12-02",
            "status": .string(card.status), "object": "postcard",
            "tracking_events": JSONValue(card.events.map { ["name": .string($0), "type": "normal"] }),
        ]
        if card.isDeleted { json["deleted"] = true }
        return .object(json)
    }

    private func list(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        let limit = min(query["limit"].flatMap { Int($0) } ?? 10, 100)
        return state.withLock { state in
            let found = state.cards.reversed().filter { card in
                query["metadata[pics]"].map { $0 == card.members["metadata[pics]"] } ?? true
            }
            let page = found.prefix(limit).map(json)
            return .json(["data": JSONValue(Array(page)), "object": "list", "count": JSONValue(page.count)])
        }
    }

    private func find(_ parameters: FakeParameters, _ response: (inout State, Int) -> FakeAnswer) -> FakeAnswer {
        state.withLock { state in
            guard let index = state.cards.firstIndex(where: { $0.id == parameters["id"] }) else {
                return error(404, "not_found", "postcard not found")
            }
            return response(&state, index)
        }
    }

    private func delete(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        let time = now()
        return find(parameters) { state, index in
            guard !state.cards[index].isDeleted, time < state.cards[index].createdAt + state.options.cancellationWindow
            else { return error(422, "not_deletable", "postcard cannot be cancelled") }
            state.cards[index].isDeleted = true
            return .json(["id": .string(state.cards[index].id), "deleted": true])
        }
    }
}
