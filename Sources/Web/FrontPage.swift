internal import HTTP
package import HTTPServer

extension Web {
    /// `GET /`: says what is here, for whoever comes by.
    package func frontPage(_ request: Request) -> Response {
        let page = Page(
            title: "Pics",
            body: """
                <main><article>
                <h1>Pics</h1>
                <p>Photos live here, each behind its own short link.</p>
                <p class="facts"><a href="/settings">Your settings</a> · <a href="/status">How Pics is doing</a> · <a href="/openapi.json">The API</a></p>
                </article></main>

                """)
        return Response(
            .ok, fields: Page.fields(cache: "public, max-age=300"), body: .bytes(Array(page.html.markup.utf8)))
    }
}
