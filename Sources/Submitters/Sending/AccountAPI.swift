internal import Crypto
internal import FoundationEssentials
internal import HTTP

/// Requests to one origin on behalf of one account, for services whose credentials are a header field.
struct AccountAPI: Sendable {
    let client: ServiceClient
    /// `https://api.example.com`; paths are appended.
    let origin: String
    /// The value of `credentialField`; nil leaves it out.
    let authorization: String?
    let addresses: AddressPolicy
    /// The header field that proves whose request it is.
    var credentialField = "Authorization"

    /// The value of `Authorization` for a name and a password (RFC 7617).
    static func basic(_ name: String, _ password: String) -> String {
        "Basic \(Base64.encode(Array("\(name):\(password)".utf8)))"
    }

    /// Sends a request; any answer is returned.
    func send(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = [:], body: OutgoingBody = .none,
        timeout: Duration = ServiceClient.timeout, maxResponseBytes: Int = 1 << 20, _ role: RequestRole = .preparing,
        progress: (@Sendable (Int64, Int64) -> Void)? = nil
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields = fields
        if let authorization { fields.add(credentialField, authorization) }
        if !fields.contains("Accept") { fields.add("Accept", MediaType.json.description) }
        return try await client.response(
            to: OutgoingRequest(
                method: method, url: origin + path, fields: fields, body: body, timeout: timeout,
                maxResponseBytes: maxResponseBytes, addressPolicy: addresses, progress: progress),
            role)
    }

    /// Sends a JSON body; any answer is returned.
    func send(
        _ method: HTTPMethod, _ path: String, json: JSONValue, fields: HTTPFields = [:],
        _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        var fields = fields
        fields.set("Content-Type", MediaType.json.description)
        return try await send(method, path, fields: fields, body: .bytes(json.serialized), role)
    }

    /// Sends a form; any answer is returned.
    func send(
        _ method: HTTPMethod, _ path: String, form: FormFields, _ role: RequestRole = .preparing
    ) async throws(SubmissionError) -> IncomingResponse {
        try await send(
            method, path, fields: ["Content-Type": MediaType.form.description],
            body: .bytes(Array(form.encoded.utf8)), role)
    }

    /// The same account at another origin.
    func at(_ origin: String) -> AccountAPI {
        AccountAPI(
            client: client, origin: origin, authorization: authorization, addresses: addresses,
            credentialField: credentialField)
    }
}

extension IncomingResponse {
    /// Whether it is a page for people, which no program was meant to read.
    var isPage: Bool {
        fields["Content-Type"].flatMap { MediaType($0) }.map {
            ["text/html", "application/xhtml+xml"].contains($0.essence)
        }
            ?? false
    }

    /// The body as JSON, for what only may be there; nil when it is none.
    var looseJSON: JSONValue? {
        do {
            return try JSONValue(parsing: body)
        } catch {
            return nil
        }
    }
}

extension OutgoingFile {
    /// All of it.
    var whole: BodyPart { .file(path: path, offset: 0, length: bytes) }
}
