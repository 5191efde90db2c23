package import HTTPServer

extension PageHandlers {
    /// `GET /`: says what is here, for whoever comes by.
    package func frontPage(_ request: HTTPRequest) -> HTTPResponse {
        let say = Language(request)
        return Page(
            language: say, title: "Pics",
            content: """
                <h1>Pics</h1>
                <p>\(say(.photosLiveHere))</p>
                <p class="facts"><a href="/settings">\(say(.yourSettings))</a> · \
                <a href="/status">\(say(.howPicsIsDoing))</a> · <a href="/openapi.json">\(say(.theAPI))</a></p>

                """
        ).response(cache: "public, max-age=300")
    }
}
