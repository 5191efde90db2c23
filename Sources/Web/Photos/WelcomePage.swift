internal import HTTP
internal import HTTPServer

extension PageHandlers {
    /// The first page of somebody who has not signed in.
    func welcomePage(_ request: HTTPRequest) -> HTTPResponse {
        let say = Language(request)
        return Page(
            language: say, title: "Pics",
            content: """
                <section class="welcome">
                <h1>Pics</h1>
                <p>\(say(.photosLiveHere))</p>
                <p><a class="button" href="/login">\(say(.signIn))</a></p>
                <p class="facts">\(say(.welcomeInvitation))</p>
                <p class="facts"><a href="/status">\(say(.howPicsIsDoing))</a> · <a href="/openapi.json">\(say(.theAPI))</a></p>
                </section>

                """
        ).response(cache: "no-cache")
    }
}
