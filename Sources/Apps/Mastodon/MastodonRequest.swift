internal import Actions
internal import Authentication
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

/// A refusal in the words of Mastodon: its status and what its apps show.
struct MastodonError: Error, Equatable {
    let status: HTTPStatus
    let text: String

    init(_ status: HTTPStatus, _ text: String) { (self.status, self.text) = (status, text) }

    static let notFound = MastodonError(.notFound, "Record not found")

    /// The request is understood, and cannot be met.
    static func invalid(_ sentence: String) -> MastodonError {
        MastodonError(.unprocessableContent, "Validation failed: \(sentence)")
    }
}

extension AppHandlers {
    typealias MastodonHandler = @Sendable (HTTPRequest, Caller) async throws -> HTTPResponse

    /// A route of the Mastodon client API for callers whose token has `scope`; the user of the token pays. Errors have Mastodon's shape.
    /// With `repeated`, the handler does not run again for the same request while nothing in the database has changed.
    func mastodon(
        _ method: HTTPMethod, _ path: String, _ scope: Scope?, _ summary: String, query: [String] = [],
        bodyLimit: Int64? = nil, costs cost: RouteCost = .charging(.tokens), repeated: Bool = false,
        _ handler: @escaping MastodonHandler
    ) -> Route {
        Route(
            method, path, scope: scope?.rawValue ?? Scope.profile.rawValue,
            operation: Self.operation(method, path, summary, query), bodyLimit: bodyLimit, costs: cost
        ) { [self] request in
            try await mastodonResponse {
                let found = repeated ? try await self.responseCache.look(for: request) : .nothing
                if case .response(let kept) = found {
                    return try await self.charged(cost, to: kept.caller) { kept.response }
                }
                let caller = try await self.authentication.caller(of: request, needing: scope)
                return try await self.charged(cost, to: caller) {
                    let response = try await Initiator.$current.withValue(.app(caller, request)) {
                        try await handler(request, caller)
                    }
                    if case .place(let place) = found { self.responseCache.keep(response, for: caller, at: place) }
                    return response
                }
            }
        }
    }

    /// A response that its caller's user has paid for, with how they stand then.
    private func charged(
        _ cost: RouteCost, to caller: Caller, _ make: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let standing = try rates.charge(cost, subject: caller.user.id.description)
        var response = try await make()
        if let standing { response.fields.announce(standing) }
        return response
    }

    /// A route for everybody; a token that comes must be good. `caller` is nil without one, and for the token of an app for itself.
    func publicMastodon(
        _ method: HTTPMethod, _ path: String, _ summary: String, query: [String] = [], repeated: Bool = false,
        _ handler: @escaping @Sendable (HTTPRequest, Caller?) async throws -> HTTPResponse
    ) -> Route {
        Route(method, path, operation: Self.operation(method, path, summary, query)) { [self] request in
            try await mastodonResponse {
                let found = repeated ? try await self.responseCache.look(for: request) : .nothing
                if case .response(let kept) = found { return kept.response }
                let viewer = try await self.viewer(of: request)
                let response = try await handler(request, viewer)
                if let viewer, case .place(let place) = found {
                    self.responseCache.keep(response, for: viewer, at: place)
                }
                return response
            }
        }
    }

    private func viewer(of request: HTTPRequest) async throws -> Caller? {
        guard let token = try TokenAuthentication.token(of: request) else { return nil }
        if try await apps.app(ofOwnToken: token) != nil { return nil }
        return try await authentication.caller(of: request, needing: nil)
    }

    /// `mastodon_get_api_v1_accounts_id` for the operation of a path.
    private static func operation(
        _ method: HTTPMethod, _ path: String, _ summary: String, _ query: [String]
    ) -> HTTPServer.Operation {
        let words = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        return .of(
            .mastodon, "mastodon_\(method.rawValue.lowercased())_\(words)", summary, query: query,
            takesBody: method != .get && method != .delete,
            problems: path.hasPrefix("/api/") ? .json : .detailsOrJSON)
    }

    /// Runs a handler, and tells its errors as Mastodon does.
    func mastodonResponse(_ make: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do {
            return try await make()
        } catch let error as MastodonError {
            return .mastodonError(error.status, error.text)
        } catch let error as AuthenticationError {
            var response: HTTPResponse =
                if case .insufficientScope = error {
                    .mastodonError(.forbidden, "This action is outside the authorized scopes")
                } else {
                    .mastodonError(.unauthorized, "The access token is invalid")
                }
            response.fields.add("WWW-Authenticate", error.challenge)
            return response
        } catch let error as RateLimitExceeded {
            var response = HTTPResponse.mastodonError(.tooManyRequests, "Too many requests")
            for field in error.response.fields where field.name != "Content-Type" {
                response.fields.add(field.name, field.value)
            }
            response.fields.announce(error.rateLimit)
            return response
        } catch let error as InvalidField {
            return .mastodonError(.unprocessableContent, "Validation failed: \(error.detail)")
        } catch let error as OAuthError {
            return .mastodonError(
                error.code == .temporarilyUnavailable ? .serviceUnavailable : .unprocessableContent,
                "Validation failed: \(error.detail)")
        } catch let error where !(error is CancellationError) && !(error is BodyError) {
            let problem = problem(error)
            if problem.status.code >= 500 { logger.error("request failed", ["error": logText(of: error)]) }
            switch problem.status.code {
            case 404, 410: return .mastodonError(.notFound, MastodonError.notFound.text)
            case 400, 409, 413, 415, 422:
                return .mastodonError(.unprocessableContent, "Validation failed: \(problem.sentence)")
            default:
                var response = HTTPResponse.mastodonError(problem.status, problem.sentence)
                if let pause = problem.fields["Retry-After"] { response.fields.add("Retry-After", pause) }
                return response
            }
        }
    }
}

extension HTTPFields {
    /// Tells how a sender stands, as Mastodon does.
    fileprivate mutating func announce(_ state: RateLimitState) {
        guard let tightest = state.tightest else { return }
        add("X-RateLimit-Limit", String(tightest.quota))
        add("X-RateLimit-Remaining", String(tightest.left))
        add(
            "X-RateLimit-Reset",
            Timestamp(Date().addingTimeInterval(Double(tightest.secondsUntilFull))).description)
    }
}

extension HTTPResponse {
    static func mastodonError(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        .json(["error": .string(text)], status: status, fields: ["Cache-Control": "no-store"])
    }

    /// JSON for one person.
    static func mastodon(_ value: JSONValue, fields: HTTPFields = [:]) -> HTTPResponse {
        var all: HTTPFields = ["Cache-Control": "private, no-store"]
        for field in fields { all.add(field.name, field.value) }
        return .json(value, fields: all)
    }
}

/// A page of a list whose items have numbers, and the links to the pages beside it.
struct MastodonPage {
    let page: NumberedPage

    /// The parameters of lists.
    static let parameters = ["max_id", "since_id", "min_id", "limit"]

    /// `max_id` are older ones, `since_id` the newest of newer ones, `min_id` the newer ones that are next; `limit` of at most `most`.
    init(_ request: HTTPRequest, usual: Int = 20, most: Int = 40) throws(MastodonError) {
        let query = request.query
        func number(_ name: String) throws(MastodonError) -> Int64? {
            guard let text = query[name], !text.isEmpty else { return nil }
            guard text.utf8.count <= 20, text.allSatisfy({ ("0"..."9").contains($0) }) else {
                throw .invalid("\(name) must be an identifier.")
            }
            return min(Int64(text) ?? .max, .max - 1)
        }
        let limit = query["limit"].flatMap { Int($0) } ?? usual
        let (newer, next) = (try number("since_id"), try number("min_id"))
        page = NumberedPage(
            before: try number("max_id"), after: next ?? newer, isFromBelow: next != nil,
            limit: min(max(limit, 1), most))
    }

    /// The response with items, and links to the pages of older and of newer ones. `next` comes first: there are clients that look at nothing
    /// behind it.
    func response(
        _ request: HTTPRequest, base: String, _ items: [(number: Int64, json: JSONValue)]
    ) -> HTTPResponse {
        var links: [Link] = []
        let path = request.path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
        func link(_ name: String, _ number: Int64, rel: String) -> Link {
            var query = FormFields()
            for pair in request.query.pairs where !["max_id", "since_id", "min_id"].contains(pair.name) {
                query.add(pair.name, pair.value)
            }
            query.add(name, String(number))
            return Link("\(base)\(path)?\(query.encoded)", rel: rel)
        }
        if let last = items.last, items.count == page.limit || page.isFromBelow {
            links.append(link("max_id", last.number, rel: "next"))
        }
        if let first = items.first { links.append(link("min_id", first.number, rel: "prev")) }
        var response = HTTPResponse.mastodon(.array(items.map(\.json)))
        if !links.isEmpty { response.fields.setLinks(links) }
        return response
    }
}

extension HTTPRequest {
    /// The number that stands in the path where the route's pattern has `{id}`.
    func number(_ name: String = "id") throws(MastodonError) -> Int64 {
        guard let text = parameters[name], text.utf8.count <= 19, text.allSatisfy({ ("0"..."9").contains($0) }),
            let number = Int64(text)
        else { throw .notFound }
        return number
    }
}
