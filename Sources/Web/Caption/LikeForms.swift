internal import Actions
internal import Domain
internal import HTTP
package import HTTPServer
internal import Logging
internal import Store

extension RatePolicy.Name {
    /// Likes and likes taken back, by address.
    package static let likes = RatePolicy.Name("likes")
    /// Browsers that like for the first time, by address.
    package static let visitors = RatePolicy.Name("visitors")
}

extension PageHandlers {
    /// `POST /{code}/like` and `/{code}/unlike`, which the button of a caption page sends. Doing it again changes nothing.
    ///
    /// Likes as the user who has signed in, else as the visitor whose browser it is.
    ///
    /// No form token is needed: a like of another site's making would lack the `Origin` of this one, which every browser of
    /// today sends with a form and with a script's request (Fetch, section 3.2), and the cookie (`SameSite=Lax`).
    func setLike(_ isLiked: Bool, _ request: HTTPRequest) async throws -> HTTPResponse {
        let code = try request.shortCode()
        guard tellsItsOrigin(request), isFromHere(request) else { throw PageProblem.foreignForm }
        try rates.charge(.likes, for: request)
        let user = try await signedIn(request)?.user
        var cookie: String?
        var reader = user.map { LikingReader.user($0.id) } ?? visitors.visitor(request).map { .visitor($0) }
        if reader == nil, isLiked {
            try rates.charge(.visitors, for: request)
            let made = try visitors.make()
            reader = .visitor(made.visitor)
            cookie = BrowserCookie.visitor.field(made.token, age: VisitorCookie.age, for: request)
        }
        try await photos.setLike(isLiked, onPhotoBehind: code, by: reader)
        var response = try await answerToLike(isLiked, code, user, request)
        if let cookie { response.fields.add("Set-Cookie", cookie) }
        return response
    }

    private func answerToLike(
        _ isLiked: Bool, _ code: ShortCode, _ user: User?, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        guard AcceptedTypes(request.fields["Accept"]).best(of: [.html, .json]) == .json else {
            // The page that a reload asks for again is not the form.
            return .seeOther("/\(code)#likes")
        }
        let photo = try await store.photo(code: code, viewer: user?.id).photo
        let text = Language(request)(.likes(here: photo.likeCount, elsewhere: photo.networkLikeCount))
        return .uncached(
            [
                "liked": .bool(isLiked), "count": .int(Int64(photo.likeCount + photo.networkLikeCount)),
                "text": .string(text),
            ])
    }

    private func tellsItsOrigin(_ request: HTTPRequest) -> Bool {
        request.fields["Origin"] != nil || request.fields["Sec-Fetch-Site"] != nil
    }
}
