package import HTTP
package import HTTPServer

extension Web {
    /// A problem as a page, for browsers: in its own words where it has some in the language, else in those of its status.
    package func problemPage(_ problem: ProblemDetails, in language: Language) -> Response {
        let known = Phrase.problem(problem.status)
        let isOwn = language == .english
        let title = isOwn ? problem.title : known.map { language($0.title) } ?? problem.title
        let detail = isOwn ? problem.detail : known.map { language($0.sentence) } ?? problem.detail
        let sentence = detail ?? known.map { language($0.sentence) } ?? ""
        let page = Page(
            language: language, title: title,
            content: """
                <h1>\(title)</h1>
                <p>\(sentence)</p>
                <p class="facts">\(problem.status.code)</p>

                """)
        var response = page.response(
            problem.status, cache: problem.status == .notFound ? "public, max-age=60" : "no-store")
        response.fields.add("X-Robots-Tag", "noindex")
        if let retryAfter = problem.fields["Retry-After"] { response.fields.add("Retry-After", retryAfter) }
        return response
    }
}
