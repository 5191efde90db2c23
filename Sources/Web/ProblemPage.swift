package import HTTP
package import HTTPServer

extension Web {
    /// A problem as a page, for browsers.
    package func problemPage(_ problem: ProblemDetails) -> Response {
        let page = Page(
            title: problem.title,
            body: """
                <main><article>
                <h1>\(problem.title)</h1>
                <p>\(problem.detail ?? "")</p>
                <p class="facts">\(problem.status.code)</p>
                </article></main>

                """)
        var fields = Page.fields(cache: problem.status == .notFound ? "public, max-age=60" : "no-store")
        fields.add("X-Robots-Tag", "noindex")
        if let retryAfter = problem.fields["Retry-After"] { fields.add("Retry-After", retryAfter) }
        return Response(problem.status, fields: fields, body: .bytes(Array(page.html.markup.utf8)))
    }
}
