package import HTTP
package import HTTPServer

extension Web {
    /// A page of a few sentences for a person who comes back from a service. What stands in its address is secret.
    package func notice(_ title: String, _ sentences: [String], status: HTTPStatus) -> Response {
        let page = Page(
            title: title, content: "<h1>\(title)</h1>\n\(HTML.join(sentences.map { "<p>\($0)</p>\n" }))")
        var response = page.response(status, cache: "no-store")
        response.fields.set("Referrer-Policy", "no-referrer")
        response.fields.add("X-Robots-Tag", "noindex")
        return response
    }

    /// Sends the browser to an app.
    package func backToApp(_ address: String) -> Response {
        Response(
            .seeOther,
            fields: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
    }
}
