package import HTTP
package import HTTPServer

extension Web {
    /// A page of a few sentences for a person who comes back from a service. What stands in its address is secret.
    package func notice(_ title: String, _ sentences: [String], status: HTTPStatus) -> Response {
        let page = Page(
            title: title,
            body: """
                <main><article>
                <h1>\(title)</h1>
                \(HTML.join(sentences.map { "<p>\($0)</p>\n" }))</article></main>

                """)
        var fields = Page.fields(cache: "no-store")
        fields.set("Referrer-Policy", "no-referrer")
        fields.add("X-Robots-Tag", "noindex")
        return Response(status, fields: fields, body: .bytes(Array(page.html.markup.utf8)))
    }

    /// Sends the browser to an app.
    package func backToApp(_ address: String) -> Response {
        Response(
            .seeOther,
            fields: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}
