package import Domain
package import EventLoops
internal import Formats
internal import FoundationEssentials
package import HTTP
package import Logging
package import Store
internal import System

/// Tells the pages that captions link to that photos mention them (Webmention, W3C Recommendation of 2017-01-12, section 3.1): when a
/// photo is published, when its caption is changed, and when nobody may see it any more.
package struct WebmentionSender: Sendable {
    private let store: PicsStore
    private let pages: WebPages
    private let addresses: Addresses
    private let threads: BlockingThreads
    private let logger: Logger

    /// Photos that are worked on at once, and so often in one go.
    private static let (batch, batches) = (4, 2)
    /// What a photo may take in one go: each claim holds for five minutes.
    private static let longestTurn = Duration.seconds(200)
    /// Links of a caption; those beyond are told nothing.
    package static let mostLinks = 10
    /// Tries at a page that does not answer: after five minutes, an hour and half a day.
    private static let mostFailures = 3

    /// - Parameters:
    ///   - store: Where photos are, and what was told.
    ///   - transport: Reads pages, and tells them.
    ///   - servers: Where pages may be.
    ///   - addresses: Those of photos.
    ///   - threads: To take pages apart on, which may take a while.
    ///   - logger: Told of pages that were not told.
    package init(
        store: PicsStore, transport: any Transport, servers: ServerPolicy, addresses: Addresses,
        threads: BlockingThreads, logger: Logger
    ) {
        (self.store, self.addresses, self.threads, self.logger) = (store, addresses, threads, logger)
        pages = WebPages(transport: transport, servers: servers)
    }

    /// Tells what is due; of how many photos.
    @discardableResult
    package func sendDue() async throws(StoreError) -> Int {
        try await store.work(batches: Self.batches) { store throws(StoreError) in
            try await store.claimMentioningPhotos(limit: Self.batch)
        } on: {
            await tell($0)
        }
    }

    private func tell(_ photo: MentioningPhoto) async {
        do {
            let links = photo.isShown ? Self.links(in: photo.caption).filter { !isOurs($0) } : []
            var isOpen = false
            let begun = Moment.now
            // What is not linked any more is told too: it looks, and finds nothing.
            for target in links + photo.told.filter({ !links.contains($0) }) where !photo.done.contains(target) {
                guard Moment.now - begun < Self.longestTurn else {
                    isOpen = true
                    break
                }
                do {
                    let outcome = try await tell(target, of: photo)
                    try await store.noteMention(
                        of: target, by: photo, problem: outcome, isLinked: links.contains(target))
                } catch {
                    guard !(error is StoreError) else { throw error }
                    logger.info(
                        "webmention not sent", ["photo": photo.id, "error": logText(of: error)])
                    isOpen = true
                }
            }
            try await store.endMentions(of: photo, again: isOpen && photo.failures < Self.mostFailures)
        } catch {
            logger.info("webmentions not sent", ["photo": photo.id, "error": logText(of: error)])
        }
    }

    /// Tells one page; why it takes none, nil when it was told.
    ///
    /// - Throws: What may be otherwise another time.
    private func tell(_ target: String, of photo: MentioningPhoto) async throws -> String? {
        do {
            let found = try await pages.page(at: target) { NoPage("the page answers \($0)") }
            guard let page = found else { return "the page is gone" }
            guard let endpoint = await threads.run({ Self.endpoint(of: page) }) else { return "the page takes none" }
            let status = try await pages.post(
                ["source": addresses.shortURL(photo.code), "target": target], to: endpoint)
            switch status.code {
            case 200..<300: return nil
            case 429, 500...: throw Unanswered(status: status.code)
            default: return "the endpoint answers \(status.code)"
            }
        } catch let error as NoPage {
            return error.description
        }
    }

    private func isOurs(_ link: String) -> Bool {
        link.hasPrefix("\(addresses.base)/") || link.hasPrefix("\(addresses.shortBase)/")
            || [addresses.base, addresses.shortBase].contains(link)
    }

    /// The web addresses in a caption, each once.
    static func links(in caption: String) -> [String] {
        var links: [String] = []
        for entity in CaptionEntity.find(in: caption, paths: .international) where links.count < mostLinks {
            guard case .link(hasScheme: true) = entity.kind else { continue }
            let link = String(caption[entity.range].prefix { $0 != "#" })
            if link.isWebAddress, link.utf8.count <= 2048, !links.contains(link) { links.append(link) }
        }
        return links
    }

    /// The endpoint that a page names: in a `Link` field, or else the first `link` or `a` element; relative to where the page was found.
    static func endpoint(of page: WebPages.Page) -> String? {
        func absolute(_ target: String) -> String? {
            guard !target.isEmpty else { return page.address }
            return URL(written: target, relativeTo: URL(written: page.address))?.absoluteString
        }
        if let named = Link.targets(in: page.fields.values("Link"), rel: "webmention").first { return absolute(named) }
        guard ["html", "xhtml+xml"].contains(page.type?.subtype ?? "html") else { return nil }
        var found: String?
        HTMLDocument(page.body).root.forEach { element in
            guard found == nil, ["link", "a"].contains(element.name), element.words("rel").contains("webmention"),
                let target = element.attributes["href"]
            else { return }
            found = target
        }
        return found.flatMap(absolute)
    }
}
