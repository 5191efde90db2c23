package import Domain
package import EventLoops
internal import FoundationEssentials
package import HTTP
package import Logging
package import Store

/// Reads the pages that say they mention photos, and keeps what they say as responses.
package struct WebmentionReader: Sendable {
    private let store: PicsStore
    private let pages: WebPages
    private let addresses: Addresses
    private let threads: BlockingThreads
    private let pageChanged: @Sendable (ShortCode) -> Void
    private let logger: Logger

    /// Pages that are read at once, each of another host, and so often in one go, with further pages of the same hosts.
    private static let (batch, batches) = (8, 10)
    /// Looks at a page that does not answer: after five minutes, an hour and half a day.
    private static let mostFailures = 3
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
        (self.store, self.addresses) = (store, addresses)
        pages = WebPages(transport: transport, servers: servers)
        (self.threads, self.logger, self.pageChanged) = (threads, logger, pageChanged)
    }

    /// Reads what is due; how many pages were read.
    @discardableResult
    package func readDue() async throws(StoreError) -> Int {
        try await store.work(batches: Self.batches) { store throws(StoreError) in
            try await store.claimWebmentions(limit: Self.batch)
        } on: {
            await read($0)
        }
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
                guard let found = page else { throw NoPage("the page does not link to the photo, or is gone") }
                let isChanged = try await store.keep(
                    found, to: webmention.photo, source: Response.web, waits: true)
                try await store.end(webmention, key: found.key, problem: nil)
                if isChanged == true { pageChanged(webmention.code) }
            } catch let error as NoPage {
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
    /// - Throws: `NoPage` for what will be none next time either, `Unanswered` and `TransportError` for what may.
    private func page(_ webmention: DueWebmention) async throws -> FoundResponse? {
        // Whoever refuses today may have it tomorrow.
        let found = try await pages.page(at: webmention.source) { Unanswered(status: $0) }
        guard let page = found else { return nil }
        return await threads.run { [addresses] in
            SourcePage.response(page.body, type: page.type, at: page.address) { link in
                addresses.code(at: link.prefix { $0 != "?" && $0 != "#" }) == webmention.code
            }
        }
    }
}
