package import Domain
package import EventLoops
internal import Foundation
package import HTTP
package import Logging
package import Store

/// Reads the pages that say they mention photos, and keeps what they say as responses.
package struct WebmentionReader: Sendable {
    private let store: PicsStore
    private let transport: any Transport
    private let servers: ServerPolicy
    private let addresses: Addresses
    private let threads: BlockingThreads
    private let pageChanged: @Sendable (ShortCode) -> Void
    private let logger: Logger

    /// Pages that are read at once, each of another host, and so often in one go, with further pages of the same hosts.
    private static let (batch, batches) = (8, 10)
    private static let timeout = Duration.seconds(10)
    /// In bytes.
    private static let longestPage = 1 << 20
    private static let mostRedirects = 10
    /// Looks at a page that does not answer: after five minutes, an hour and half a day.
    private static let mostFailures = 3
    private static let accepted = "text/html, application/xhtml+xml, application/json;q=0.9, text/plain;q=0.5"

    /// - Parameters:
    ///   - store: Where webmentions and responses are.
    ///   - transport: Reads the pages.
    ///   - servers: Where pages may be.
    ///   - addresses: Those of photos.
    ///   - threads: To take pages apart on, which may take a while.
    ///   - logger: Told of pages that are no response.
    ///   - pageChanged: Told of photos that have a response more or less.
    package init(
        store: PicsStore, transport: any Transport, servers: ServerPolicy, addresses: Addresses,
        threads: BlockingThreads,
        logger: Logger, pageChanged: @escaping @Sendable (ShortCode) -> Void
    ) {
        (self.store, self.transport, self.servers, self.addresses) = (store, transport, servers, addresses)
        (self.threads, self.logger, self.pageChanged) = (threads, logger, pageChanged)
    }

    /// Reads what is due; how many pages were read.
    @discardableResult
    package func readDue() async throws(StoreError) -> Int {
        var count = 0
        for _ in 0..<Self.batches {
            let due = try await store.claimWebmentions(limit: Self.batch)
            await withTaskGroup(of: Void.self) { group in
                for webmention in due { group.addTask { await read(webmention) } }
            }
            count += due.count
            if due.isEmpty { break }
        }
        return count
    }

    private func read(_ webmention: DueWebmention) async {
        do {
            do {
                let page = try await page(webmention)
                // It was another response, or is none now.
                if let key = webmention.key, key != page?.key {
                    try await store.responseIsGone(key: key, photo: webmention.photo)
                    pageChanged(webmention.code)
                }
                guard let found = page else { throw NoResponse("the page does not link to the photo, or is gone") }
                let isChanged = try await store.keep(
                    found, to: webmention.photo, source: Response.web, waits: true)
                try await store.end(webmention, key: found.key, problem: nil)
                if isChanged == true { pageChanged(webmention.code) }
            } catch let error as NoResponse {
                try await store.end(webmention, key: nil, problem: error.description)
                log(webmention, error)
            }
        } catch {
            log(webmention, error)
            guard webmention.failures >= Self.mostFailures else { return }
            // Else it comes again.
            do { try await store.end(webmention, key: webmention.key, problem: "the page does not answer") } catch {
                log(webmention, error)
            }
        }
    }

    private func log(_ webmention: DueWebmention, _ error: any Error) {
        let host = URLComponents(string: webmention.source)?.host
        logger.info("webmention not taken", ["webmention": webmention.id, "host": host, "error": logText(of: error)])
    }

    /// The response that a page is; nil when it is gone, or does not link to the photo.
    ///
    /// - Throws: `NoResponse` for what will be none next time either, `Unanswered` and `TransportError` for what may.
    private func page(_ webmention: DueWebmention) async throws -> FoundResponse? {
        var address = webmention.source
        for _ in 0...Self.mostRedirects {
            guard address.utf8.count <= 2048, WebmentionRequest.host(of: address, servers) != nil else {
                throw NoResponse("an address is not taken")
            }
            let response = try await self.response(at: address)
            switch response.status.code {
            case 200..<300:
                let type = response.fields["Content-Type"].flatMap { MediaType($0) }
                return await threads.run { [address, addresses] in
                    SourcePage.response(response.body, type: type, at: address) { link in
                        addresses.code(at: link.prefix { $0 != "?" && $0 != "#" }) == webmention.code
                    }
                }
            case 410, 451: return nil
            case 301, 302, 303, 307, 308:
                guard let next = response.fields["Location"],
                    let url = URL(string: next, relativeTo: URL(string: address))
                else { throw NoResponse("a redirect leads nowhere") }
                address = url.absoluteString
            default: throw Unanswered(status: response.status.code)
            }
        }
        throw NoResponse("there are too many redirects")
    }

    private func response(at address: String) async throws -> IncomingResponse {
        do throws(TransportError) {
            return try await transport.send(
                OutgoingRequest(
                    url: address, fields: ["Accept": Self.accepted], timeout: Self.timeout,
                    maxResponseBytes: Self.longestPage, addressPolicy: servers.addresses))
        } catch {
            switch error {
            case .refusedAddress, .responseTooLarge: throw NoResponse(error.description)
            case .notSent, .unanswered, .cancelled: throw error
            }
        }
    }
}

/// Why a page is no response, whenever it is read.
private struct NoResponse: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The page cannot be had now.
private struct Unanswered: Error, CustomStringConvertible {
    let status: Int

    var description: String { "the answer has the status \(status)" }
}
