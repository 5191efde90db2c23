package import HTTP

/// Pages for people who open an address in a browser, where programs get problem details.
///
/// A client that likes HTML better than JSON gets one. A refusal before the fields were read stays as it is.
package struct ProblemPages: Sendable {
    /// Below this path everybody is a program: `/v1`.
    let programs: String
    let page: @Sendable (HTTPStatus, _ acceptLanguage: String?) -> HTTPResponse

    /// Takes the path of programs, without a slash at its end, and what makes the page for a status and the reader's
    /// `Accept-Language`. Fields of the problem that the page does not have, such as `Allow`, are added to it.
    package init(
        except programs: String, page: @escaping @Sendable (HTTPStatus, _ acceptLanguage: String?) -> HTTPResponse
    ) {
        self.programs = programs
        self.page = page
    }

    /// The response that the reader of a problem gets.
    func response(_ problem: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        guard exchange.path != programs, !exchange.path.hasPrefix(programs + "/"),
            problem.fields["Content-Type"] == MediaType.problemJSON.description
        else { return problem }
        var problem = problem
        problem.fields.vary(by: "Accept")
        guard let negotiationFields = exchange.negotiationFields, negotiationFields.mentions.contains(.accept),
            AcceptedTypes(negotiationFields["Accept"]).best(of: [.json, .problemJSON, .html]) == .html
        else { return problem }
        var page = page(problem.status, negotiationFields["Accept-Language"])
        for field in problem.fields where !page.fields.contains(field.name) { page.fields.add(field.name, field.value) }
        return page
    }
}

extension LoopContext {
    /// The response that goes out: a problem in the form that the client prefers.
    func presented(_ response: HTTPResponse, _ exchange: Exchange) -> HTTPResponse {
        guard response.status.code >= 400, let problemPages else { return response }
        return problemPages.response(response, exchange)
    }
}
