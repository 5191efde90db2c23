internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

/// The viewer of a photo, where that makes a difference: a browser that has signed in, or one that has liked something.
struct Reader: Sendable {
    let caller: SignedInUser?
    let visitor: Visitor?

    var user: User? { caller?.user }
}

extension PageHandlers {
    /// The reader that a request's cookies tell; nil for everybody else, who all see the same.
    func reader(_ request: HTTPRequest) async throws -> Reader? {
        guard request.fields["Cookie"] != nil else { return nil }
        let visitor = visitors.visitor(request)
        let caller = try await signedIn(request)
        return caller == nil && visitor == nil ? nil : Reader(caller: caller, visitor: visitor)
    }

    /// A photo that the sender of a request may see by its short link: its owner sees a private one.
    func visiblePhoto(_ code: ShortCode, _ request: HTTPRequest) async throws -> PhotoView {
        do {
            return try await store.photo(code: code)
        } catch {
            guard error == .notFound, let user = try await signedIn(request)?.user else { throw error }
            return try await store.photo(code: code, viewer: user.id)
        }
    }

    /// Whether a reader likes a photo, which they see as `view`.
    func likes(_ view: PhotoView, _ reader: Reader) async throws(StoreError) -> Bool {
        if reader.user != nil { return view.isLiked }
        guard let visitor = reader.visitor else { return false }
        return try await store.likes(view.photo.id, by: visitor)
    }
}
