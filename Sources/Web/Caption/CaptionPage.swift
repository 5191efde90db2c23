internal import Domain
internal import FoundationEssentials
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store
internal import Submitters

extension PageHandlers {
    /// `GET /{code}` for browsers: the photo with its whole caption. One that is part of a post leads to the page of the post.
    ///
    /// All readers without a cookie share one page for each language, which caches keep. A reader who has liked something or
    /// has signed in gets a page of their own, which says what they like.
    package func captionPage(_ request: HTTPRequest) async throws -> HTTPResponse {
        let code = try request.shortCode()
        let language = Language(request)
        if let own = try await pageForReader(code, language, request) {
            return give(own.response, of: code, toOwner: own.isOwner, request)
        }
        let page = try await pages.page(PageCache.Key(code: code, language: language)) {
            try await self.sharedPage(code, language)
        }
        return give(page, of: code, toOwner: false, request)
    }

    /// The page of all readers without a cookie, if it is in memory. Whoever gets nil asks `captionPage`.
    package func keptCaptionPage(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.fields["Cookie"] == nil, let code = try? request.shortCode(),
            let page = pages.kept(PageCache.Key(code: code, language: Language(request)))
        else { return nil }
        return give(page, of: code, toOwner: false, request)
    }

    /// Counts the visit, unless it is the owner's. A reader who has the page already gets 304.
    private func give(
        _ response: HTTPResponse, of code: ShortCode, toOwner: Bool, _ request: HTTPRequest
    ) -> HTTPResponse {
        if !toOwner, response.status == .ok, Self.isVisit(request) {
            visits.add(code, by: UserAgentKind(request.fields["User-Agent"]))
        }
        guard request.fields["If-None-Match"] != nil,
            let tag = response.fields["ETag"].flatMap(EntityTag.init(parsing:)),
            Preconditions.evaluate(method: request.method, fields: request.fields.all, etag: tag) == .notModified
        else { return response }
        return HTTPResponse(.notModified, fields: response.fields)
    }

    /// Whether somebody looks at what a request asks for. A browser that fetches a page ahead says so (Fetch, "Sec-Purpose").
    private static func isVisit(_ request: HTTPRequest) -> Bool {
        guard request.method != .head else { return false }
        return !["Sec-Purpose", "Purpose", "X-Moz"].contains { name in
            request.fields[name]?.lowercased().hasPrefix("prefetch") == true
        }
    }

    private func sharedPage(
        _ code: ShortCode, _ language: Language
    ) async throws -> (response: HTTPResponse, bytes: Int) {
        let shown = try await store.captionPage(code)
        let made = captionResponse(shown, language, isLiked: false, cache: Self.checkedEachTime)
        return (made.response.keepingGzip(), 2 * made.bytes)
    }

    /// A cache asks each time whether it is still so: a photo that is deleted, or nobody's business any more, is shown
    /// from no cache. The response is 304 mostly, and made without the database.
    static let checkedEachTime = "public, no-cache"

    /// Nil for those who share the page of all; also while the database is away, since a page that does not know its
    /// reader is better than none.
    private func pageForReader(
        _ code: ShortCode, _ language: Language, _ request: HTTPRequest
    ) async throws -> (response: HTTPResponse, isOwner: Bool)? {
        do {
            guard let reader = try await reader(request) else { return nil }
            let shown: CaptionPageView
            do throws(StoreError) { shown = try await store.captionPage(code, viewer: reader.user?.id) } catch {
                guard error == .gone, let caller = reader.caller,
                    let page = try await deletedPhotoPage(code, caller)
                else { throw error }
                return (page, true)
            }
            let isLiked = try await likes(shown.view, reader)
            let isOwner = reader.user?.id == shown.view.photo.owner
            var tools: OwnerTools?
            if isOwner, let caller = reader.caller {
                tools = try await ownerTools(
                    of: shown.view.photo, with: shown.companions, showsResponses: shown.context.showsResponses, caller,
                    request)
            }
            let made = captionResponse(
                shown, language, isLiked: isLiked, cache: "private, no-cache", bar: reader.caller.map { Bar($0) },
                tools: tools)
            return (made.response, isOwner)
        } catch {
            guard error as? StoreError == .unavailable else { throw error }
            return nil
        }
    }

    private func captionResponse(
        _ shown: CaptionPageView, _ language: Language, isLiked: Bool, cache: String, bar: Bar? = nil,
        tools: OwnerTools? = nil
    ) -> (response: HTTPResponse, bytes: Int) {
        if let post = shown.context.post {
            let response = HTTPResponse(
                .found, fields: ["Location": "/\(post)#\(shown.view.photo.code)", "Cache-Control": cache])
            return (response, 0)
        }
        let document = CaptionDocument(
            shown: shown, language: language, isLiked: isLiked, addresses: addresses,
            serviceName: { [registry] in registry.name(of: $0) }, isOwner: tools != nil, bar: bar,
            tools: tools,
            isOpen: { [registry] in registry.isOpen(toEverybody: $0.visibility, at: $0.service) },
            entityPages: { [registry] in registry[$0]?.description.entityPages })
        let page = document.page
        let bytes = Array(page.html.markup.utf8)
        var fields = page.fields(cache: cache)
        fields.add("ETag", EntityTag(ContentHash.of(bytes)).description)
        if shown.view.photo.visibility != .public { fields.add("X-Robots-Tag", "noindex") }
        if shown.context.takesWebmentions {
            fields.add("Link", "<\(addresses.base)\(Self.webmentionPath)>; rel=\"webmention\"")
        }
        return (HTTPResponse(.ok, fields: fields, body: .bytes(bytes)), bytes.count)
    }
}
