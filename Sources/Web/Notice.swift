internal import HTTP
package import HTTPServer

extension PageHandlers {
    /// A page of a few sentences for a person who comes back from a service. What stands in its address is secret.
    func notice(
        _ title: Phrase, _ sentences: [Phrase], in language: Language, status: HTTPStatus
    ) -> HTTPResponse {
        let paragraphs = sentences.map { "<p>\(language.marked($0))</p>\n" as HTML }
        let page = Page(
            language: language, title: language(title),
            content: "<h1>\(language(title))</h1>\n\(HTML.join(paragraphs))")
        var response = page.response(status, cache: "no-store")
        response.fields.set("Referrer-Policy", "no-referrer")
        response.fields.add("X-Robots-Tag", "noindex")
        return response
    }

    /// Sends the browser to an app.
    package func backToApp(_ address: String) -> HTTPResponse {
        HTTPResponse(
            .seeOther,
            fields: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}
