internal import Curl
internal import Foundation
package import HTTP

/// A browser without scripts: it keeps cookies, and sends the forms of the pages it has opened.
package struct Browser: Sendable {
    private let base: String
    /// Fields that it, or a proxy in front of it, adds to each request.
    package var fields: HTTPFields = [:]
    package private(set) var cookies: [String: String] = [:]

    package init(_ pics: any PicsClient, fields: HTTPFields = [:]) {
        base = pics.base
        self.fields = fields
    }

    /// A browser that comes over https through a proxy on this machine.
    package static func secure(_ pics: any PicsClient, address: String = "203.0.113.7") -> Browser {
        Browser(
            pics,
            fields: [
                "X-Forwarded-For": address, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "pics.example",
            ])
    }

    package struct Page: Sendable {
        package let status: Int
        package let fields: HTTPFields
        package let text: String

        package var response: IncomingResponse {
            IncomingResponse(status: HTTPStatus(code: status), fields: fields, body: Array(text.utf8))
        }

        package var location: String? { fields["Location"] }

        /// The token of its first form.
        package var formToken: String? {
            text.firstMatch(of: #/name="form_token" value="([A-Za-z0-9_-]+)"/#).map { String($0.1) }
        }

        /// What is shown once: the text of the first `code` of its section `shown`.
        package var shown: String? {
            guard let section = text.firstRange(of: #"class="shown""#) else { return nil }
            return text[section.upperBound...].firstMatch(of: #/<code>([^<]+)<\/code>/#).map { String($0.1) }
        }

        /// Its text without what differs each time.
        package var lasting: String { text.replacing(#/name="form_token" value="[A-Za-z0-9_-]+"/#, with: "") }
    }

    package mutating func open(_ path: String, with others: HTTPFields = [:]) async throws -> Page {
        try await send(.get, path, .none, others)
    }

    /// Opens the page at `page` and sends a form with its token; `others` are fields of the request.
    package mutating func submit(
        _ form: FormFields, to path: String, from page: String, with others: HTTPFields = [:]
    ) async throws -> Page {
        var form = form
        form.add("form_token", try await open(page).formToken ?? "")
        return try await post(form, to: path, with: others)
    }

    /// Sends a form as it is.
    package mutating func post(_ form: FormFields, to path: String, with others: HTTPFields = [:]) async throws -> Page
    {
        var others = others
        if !others.contains("Content-Type") { others.add("Content-Type", "application/x-www-form-urlencoded") }
        return try await send(.post, path, .bytes(Array(form.encoded.utf8)), others)
    }

    /// Sends a form with files as it is.
    package mutating func post(_ form: MultipartForm, to path: String, with others: HTTPFields = [:]) async throws
        -> Page
    {
        var others = others
        others.add("Content-Type", form.mediaType.description)
        return try await send(.post, path, form.body, others)
    }

    /// Sends bytes as a script of a page does.
    package mutating func patch(_ path: String, _ bytes: [UInt8], _ fields: HTTPFields) async throws -> Page {
        try await send(.patch, path, .bytes(bytes), fields)
    }

    package mutating func signIn(_ name: String, _ password: String, next: String? = nil) async throws -> Page {
        var form: FormFields = ["name": name, "password": password]
        if let next { form.add("next", next) }
        return try await submit(form, to: "/login", from: "/login")
    }

    /// Whether the settings are open to it.
    package mutating func isSignedIn() async throws -> Bool { try await open("/settings").status == 200 }

    package mutating func keep(_ name: String, _ value: String) { cookies[name] = value }

    private mutating func send(
        _ method: HTTPMethod, _ path: String, _ body: OutgoingBody, _ others: HTTPFields
    ) async throws -> Page {
        var request = OutgoingRequest(
            method: method, url: path.hasPrefix("http") ? path : base + path,
            fields: others.contains("Accept") ? [:] : ["Accept": "text/html"], body: body, addressPolicy: .any)
        request.fields.add(fields)
        request.fields.add(others)
        if !cookies.isEmpty {
            request.fields.add("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        let response = try await transport.get().send(request)
        for line in response.fields.values("Set-Cookie") {
            let pair = (line.split(separator: ";").first ?? "").split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = line.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return Page(
            status: response.status.code, fields: response.fields, text: String(decoding: response.body, as: UTF8.self))
    }
}
