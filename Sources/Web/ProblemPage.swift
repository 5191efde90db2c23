package import HTTP
package import HTTPServer

extension Web {
    /// A problem as a page, for browsers: in its own words where it has some in the language, else in those of its status.
    package func problemPage(_ problem: ProblemDetails, in language: Language) -> Response {
        let known = Phrase.problem(problem.status)
        return problemPage(
            problem, title: Phrase(problem.title, ja: known.title.japanese),
            sentence: Phrase(problem.detail ?? known.sentence.english, ja: known.sentence.japanese), language)
    }

    func problemPage(
        _ problem: ProblemDetails, title: Phrase, sentence: Phrase, _ language: Language
    ) -> Response {
        let page = Page(
            language: language, title: language(title),
            content: """
                <h1>\(language(title))</h1>
                <p>\(language(sentence))</p>
                <p class="facts">\(problem.status.code)</p>

                """)
        var response = page.response(
            problem.status, cache: problem.status == .notFound ? "public, max-age=60" : "no-store")
        response.fields.add("X-Robots-Tag", "noindex")
        if let retryAfter = problem.fields["Retry-After"] { response.fields.add("Retry-After", retryAfter) }
        return response
    }
}
