internal import HTTP
package import HTTPServer

extension PageHandlers {
    /// The page for browsers where no page of ours answers, and where the response is made for programs.
    package static let problemPages = ProblemPages(except: "/v1") { status, acceptLanguage in
        let known = Phrase.problem(status)
        return problemPage(
            ProblemDetails(status: status), title: known.title, sentence: known.sentence,
            Language(accepting: acceptLanguage))
    }

    /// A problem as a page, for browsers: in its own words where it has some in the language, else in those of its status. What a limit says is
    /// for programs.
    ///
    /// `path` is where somebody who signs in may see more.
    func problemPage(
        _ problem: ProblemDetails, in language: Language, signInTo path: String? = nil, bar: Bar? = nil
    ) -> HTTPResponse {
        let known = Phrase.problem(problem.status)
        guard problem.status != .tooManyRequests else {
            return Self.problemPage(
                problem, title: known.title, sentence: problem.retryAfter.map(Phrase.retryIn) ?? known.sentence,
                language, signInTo: path, bar: bar)
        }
        return Self.problemPage(
            problem, title: Phrase(problem.title, ja: known.title.japanese),
            sentence: Phrase(problem.detail ?? known.sentence.english, ja: known.sentence.japanese), language,
            signInTo: path, bar: bar)
    }

    static func problemPage(
        _ problem: ProblemDetails, title: Phrase, sentence: Phrase, _ language: Language, signInTo path: String? = nil,
        bar: Bar? = nil
    ) -> HTTPResponse {
        let signIn: HTML =
            path.map { path in
                "<a href=\"/login?next=\(PercentEncoding.encode(path))\">\(language(.signInToSee))</a> · "
            } ?? .nothing
        let page = Page(
            language: language, title: language(title), bar: bar,
            content: """
                <h1>\(language(title))</h1>
                <p>\(language(sentence))</p>
                <p>\(signIn)<a href="/">\(language(.toHome))</a></p>
                <p class="facts">\(problem.status.code)</p>

                """)
        var response = page.response(
            problem.status, cache: problem.status == .notFound && bar == nil ? "public, max-age=60" : "no-store")
        response.fields.add("X-Robots-Tag", "noindex")
        if let retryAfter = problem.fields["Retry-After"] { response.fields.add("Retry-After", retryAfter) }
        return response
    }
}
