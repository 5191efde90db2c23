internal import FoundationEssentials
internal import HTTP
internal import System

/// Reads pages of strangers: each address on the way is checked, and little is read.
struct WebPages: Sendable {
    let transport: any Transport
    let servers: ServerPolicy

    struct Page: Sendable {
        /// Where it was found, after redirects.
        let address: String
        let type: MediaType?
        let fields: HTTPFields
        let body: [UInt8]
    }

    private static let timeout = Duration.seconds(10)
    /// In bytes.
    private static let longestPage = 1 << 20
    private static let mostRedirects = 10
    private static let accepted = "text/html, application/xhtml+xml, application/json;q=0.9, text/plain;q=0.5"

    /// The page at an address; nil when it is gone for good. `refused` is what a status tells that no page has and no trouble explains.
    ///
    /// - Throws: `NoPage` for what will be none next time either, `Unanswered` and `TransportError` for what may.
    func page(at address: String, refused: (Int) -> any Error) async throws -> Page? {
        var address = address
        for _ in 0...Self.mostRedirects {
            guard address.utf8.count <= 2048, WebmentionRequest.host(of: address, servers) != nil else {
                throw NoPage("an address is not taken")
            }
            let response = try await send(
                OutgoingRequest(
                    url: address, fields: ["Accept": Self.accepted], timeout: Self.timeout,
                    maxResponseBytes: Self.longestPage, addressPolicy: servers.addresses))
            switch response.status.code {
            case 200..<300:
                return Page(
                    address: address, type: response.fields["Content-Type"].flatMap { MediaType($0) },
                    fields: response.fields, body: response.body)
            case 410, 451: return nil
            case 301, 302, 303, 307, 308:
                guard let next = response.fields["Location"],
                    let url = URL(written: next, relativeTo: URL(written: address))
                else { throw NoPage("a redirect leads nowhere") }
                address = url.absoluteString
            case 408, 425, 429, 500...: throw Unanswered(status: response.status.code)
            default: throw refused(response.status.code)
            }
        }
        throw NoPage("there are too many redirects")
    }

    /// Sends a form; the status of the answer.
    func post(_ form: FormFields, to address: String) async throws -> HTTPStatus {
        guard address.utf8.count <= 2048, WebmentionRequest.host(of: address, servers) != nil else {
            throw NoPage("an address is not taken")
        }
        return try await send(
            OutgoingRequest(
                method: .post, url: address, fields: ["Content-Type": MediaType.form.description],
                body: .bytes(Array(form.encoded.utf8)), timeout: Self.timeout, maxResponseBytes: 1 << 16,
                addressPolicy: servers.addresses)
        ).status
    }

    private func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        do throws(TransportError) { return try await transport.send(request) } catch {
            switch error {
            case .refusedAddress, .responseTooLarge: throw NoPage(error.description)
            case .notSent, .unanswered, .cancelled: throw error
            }
        }
    }
}

/// Why there is no page, whenever it is read.
struct NoPage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The page cannot be had now.
struct Unanswered: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the answer has the status \(status)" }
}
