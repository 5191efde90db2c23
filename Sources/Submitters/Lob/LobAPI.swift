internal import Domain
internal import FoundationEssentials
internal import HTTP

/// The calls of Lob's Print & Mail API that Pics uses.
///
/// Answers repeat addresses: nothing of them is kept but codes.
///
/// Source: lob/lob-openapi at 539ed45 (API 1.22.0, 2026-05-29), postcards, addresses, idempotency, metadata, errors; read 2026-11-26.
struct LobAPI: Sendable {
    let api: AccountAPI

    var client: ServiceClient { api.client }

    /// `GET /addresses`: whether the key is one.
    func check() async throws(SubmissionError) {
        let response = try await api.send(.get, "/v1/addresses?limit=1")
        guard response.status.isSuccess else { throw failure(response) }
        guard response.looseJSON?["data"]?.array != nil else { throw client.unreadable }
    }

    /// `POST /postcards`: orders. Within 24 hours the same key gives the earlier card back.
    func order(
        _ file: OutgoingFile, back: LobBack, to recipient: PostalAddress, from sender: PostalAddress?, key: String,
        progress: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(SubmissionError) -> LobCard {
        var form = MultipartForm()
        form.add("size", back.size.rawValue)
        form.add("use_type", "operational")
        form.add("mail_type", "usps_first_class")
        form.add("metadata[\(Self.metadata)]", key)
        Self.add(recipient, as: "to", to: &form)
        if let sender { Self.add(sender, as: "from", to: &form) }
        form.add("back", back.html)
        form.add("front", filename: "front.jpg", mediaType: MediaType(file.mediaType) ?? .octetStream, file.whole)
        let response = try await api.send(
            .post, "/v1/postcards",
            fields: ["Content-Type": form.mediaType.description, "Idempotency-Key": key], body: form.body,
            timeout: ServiceClient.timeout(uploading: file.bytes), .publishing,
            progress: { sent, _ in progress(min(sent, file.bytes), file.bytes) })
        return try card(response, .publishing)
    }

    /// `GET /postcards?metadata[pics]=`: the card of a key, cancelled ones too; nil where there is none.
    func card(of key: String) async throws(SubmissionError) -> LobCard? {
        let query: FormFields = ["limit": "10", "metadata[\(Self.metadata)]": key]
        let response = try await api.send(.get, "/v1/postcards?\(query.encoded)")
        guard response.status.isSuccess else { throw failure(response) }
        guard let list = response.looseJSON?["data"]?.array else { throw client.unreadable }
        // The key is asked for once more: a filter that is not understood gives all cards.
        return list.first { $0["metadata"]?[Self.metadata]?.string == key }.flatMap(LobCard.init)
    }

    /// `GET /postcards/{id}`; nil where it is not known.
    func card(_ id: String) async throws(SubmissionError) -> LobCard? {
        let response = try await api.send(.get, path(id))
        return response.status == .notFound ? nil : try card(response)
    }

    /// `DELETE /postcards/{id}`: whether it is cancelled, now or before.
    func cancel(_ id: String) async throws(SubmissionError) -> Bool {
        let response = try await api.send(.delete, path(id))
        if response.status.isSuccess, response.looseJSON?["deleted"]?.bool == true { return true }
        if response.status.isSuccess || [404, 409, 422].contains(response.status.code) {
            // One that is not there any more is not printed: Lob "completely removes" what is cancelled.
            return try await card(id)?.isDeleted ?? true
        }
        throw failure(response)
    }

    private static let metadata = "pics"

    private func path(_ id: String) -> String { "/v1/postcards/\(PercentEncoding.encode(id))" }

    private func card(
        _ response: IncomingResponse, _ role: RequestRole = .preparing
    ) throws(SubmissionError) -> LobCard {
        guard response.status.isSuccess else { throw failure(response, role) }
        guard let card = response.looseJSON.flatMap(LobCard.init) else { throw client.unreadable(role) }
        return card
    }

    private static func add(_ address: PostalAddress, as name: String, to form: inout MultipartForm) {
        let members = [
            ("name", address.name.isEmpty ? nil : address.name), ("company", address.company),
            ("address_line1", address.line1), ("address_line2", address.line2), ("address_city", address.city),
            ("address_state", address.region), ("address_zip", address.postalCode.isEmpty ? nil : address.postalCode),
            ("address_country", address.country),
        ]
        for (member, value) in members {
            if let value { form.add("\(name)[\(member)]", value) }
        }
    }

    // MARK: Failures

    /// The error of an answer without success. Codes are compared without case: the documentation mixes them.
    private func failure(_ response: IncomingResponse, _ role: RequestRole = .preparing) -> SubmissionError {
        let code = response.looseJSON?["error"]?["code"]?.string?.lowercased()
        let bare = response.keeping([code].compactMap(\.self))
        func rejected(_ problem: ProblemCode, _ parameters: ProblemParameters = ProblemParameters()) -> SubmissionError
        {
            .rejected(client.problem(problem, bare, parameters))
        }
        func invalid(_ field: PostalAddress.Field) -> SubmissionError {
            rejected(.valueInvalid, ProblemParameters(field: field.rawValue, label: field.label))
        }
        guard 400..<500 ~= response.status.code else { return client.failure(bare, role) }
        switch code {
        case "payment_method_unverified", "email_required", "billing_address_required", "feature_limit_reached":
            return rejected(.paymentRequired)
        case "invalid_api_key": return client.refusedCredentials(bare)
        case "address_length_exceeds_limit", "failed_deliverability_strictness": return invalid(.line1)
        case "foreign_return_address":
            return rejected(.valueInvalid, ProblemParameters(field: "sender", label: LobSubmitter.senderLabel))
        case "invalid_international_feature", "invalid_country_covid": return rejected(.countryNotServed)
        case "invalid_template_html", "merge_variable_required", "merge_variable_whitespace",
            "special_characters_restricted":
            return rejected(.textRefused)
        case let code? where code.hasPrefix("file_") || code.hasPrefix("invalid_file") || code == "invalid_image_dpi":
            return rejected(.fileRefused)
        default: return client.failure(bare, role)
        }
    }
}

/// A card at Lob, without its addresses.
struct LobCard: Sendable, Equatable {
    let id: String
    let isDeleted: Bool
    private let status: String?
    /// The name of the newest event of its way.
    private let event: String?
    private let createdAt: Date?
    private let sendDate: Date?
    private let expectedDelivery: String?
    private let previewURL: String?

    /// From "Cancellation Windows": five minutes for accounts that have not asked for more.
    private static let cancellationWindow: TimeInterval = 300

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, id.hasPrefix("psc_"), id.utf8.count <= 100 else { return nil }
        self.id = id
        isDeleted = json["deleted"]?.bool == true
        status = json["status"]?.string?.lowercased()
        event = json["tracking_events"]?.array?.last?["name"]?.string?.lowercased()
        createdAt = json["date_created"]?.string.flatMap { Timestamp($0)?.date }
        sendDate = json["send_date"]?.string.flatMap { Timestamp($0)?.date }
        expectedDelivery = json["expected_delivery_date"]?.string.flatMap {
            $0.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil ? $0 : nil
        }
        previewURL = IncomingResponse.webAddress(json["url"])
    }

    func state(at now: Date, of service: String) -> PrintState {
        let end = createdAt.map { max($0 + Self.cancellationWindow, sendDate ?? $0) }
        let isCancellable = !isDeleted && status != "failed" && (end.map { now < $0 } ?? false)
        let stage: PrintState.Stage =
            if isDeleted {
                .cancelled
            } else if status == "failed" {
                .failed(Problem(.fileRefused, ProblemParameters(service: service)))
            } else {
                switch event {
                case "delivered": .delivered
                case "returned to sender": .returned
                case nil: isCancellable ? .ordered : .inProduction
                default: .mailed
                }
            }
        return PrintState(
            stage, isCancellable: isCancellable, cancellableUntil: isCancellable ? end : nil,
            expectedDelivery: expectedDelivery, previewURL: previewURL)
    }
}
