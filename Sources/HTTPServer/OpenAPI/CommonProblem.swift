internal import HTTP

/// The problems that need not be written at every operation.
struct CommonProblem {
    let status: Int
    /// The name under `components/responses`.
    let name: String
    let summary: String
    /// The header fields that come with it.
    var fields: JSONObject = [:]

    static func of(_ route: Route) -> [CommonProblem] {
        var problems = [badRequest]
        if route.scope != nil { problems += [unauthorized, forbidden] }
        if !route.parameterNames.isEmpty { problems.append(notFound) }
        if route.operation.body != nil { problems += [timeout, tooLarge] }
        if route.bodyLimit != nil { problems.append(noSpace) }
        if route.audience != .anyHost, route.audience != .anyHostAndScheme { problems.append(misdirected) }
        return problems + [lineTooLong, expectationFailed, tooMany, fieldsTooLarge, internalError, unavailable]
    }

    static let badRequest = CommonProblem(status: 400, name: "BadRequest", summary: "The request is malformed.")
    static let unauthorized = CommonProblem(
        status: 401, name: "Unauthorized", summary: "There is no valid token.",
        fields: ["WWW-Authenticate": field("What kind of token is wanted (RFC 6750).")])
    static let forbidden = CommonProblem(status: 403, name: "Forbidden", summary: "The token lacks the scope.")
    static let notFound = CommonProblem(
        status: 404, name: "NotFound", summary: "There is no such thing, or not for you.")
    static let timeout = CommonProblem(status: 408, name: "RequestTimeout", summary: "The body came too slowly.")
    static let tooLarge = CommonProblem(status: 413, name: "ContentTooLarge", summary: "The body is too large.")
    static let lineTooLong = CommonProblem(status: 414, name: "URITooLong", summary: "The request line is too long.")
    static let expectationFailed = CommonProblem(
        status: 417, name: "ExpectationFailed", summary: "Expect is something else than 100-continue.")
    static let misdirected = CommonProblem(
        status: 421, name: "MisdirectedRequest", summary: "This host, or this scheme, is not served here.")
    static let fieldsTooLarge = CommonProblem(
        status: 431, name: "RequestHeaderFieldsTooLarge", summary: "The header fields are too large, or too many.")
    static let noSpace = CommonProblem(status: 507, name: "InsufficientStorage", summary: "The disk is full.")
    static let tooMany = CommonProblem(
        status: 429, name: "TooManyRequests", summary: "There were too many requests.",
        fields: [
            "Retry-After": pause,
            "RateLimit-Policy": field("The limits that count (draft-ietf-httpapi-ratelimit-headers)."),
            "RateLimit": field("What is left of them, and the seconds until more comes."),
        ])
    static let internalError = CommonProblem(
        status: 500, name: "InternalServerError", summary: "Something went wrong here.")
    static let unavailable = CommonProblem(
        status: 503, name: "ServiceUnavailable", summary: "Try again later.", fields: ["Retry-After": pause])

    /// The name under `components/responses` of the problem, or of the page that browsers get.
    func name(isPage: Bool) -> String { isPage ? "\(name)Page" : name }

    /// All of them as they stand in `components/responses`, and as pages too if there are some.
    static func responses(withPages: Bool) -> JSONObject {
        var responses = JSONObject()
        let all = [
            badRequest, unauthorized, forbidden, notFound, timeout, tooLarge, lineTooLong, expectationFailed,
            misdirected,
            tooMany, fieldsTooLarge, internalError, unavailable, noSpace,
        ]
        for isPage in withPages ? [false, true] : [false] {
            for problem in all {
                responses[problem.name(isPage: isPage)] = .object(problem.response(.details, isPage: isPage))
            }
        }
        return responses
    }

    /// The response with this problem, in the form of an operation; `isPage` says that it may be a page for those who like HTML better.
    func response(_ form: Operation.ProblemContent, isPage: Bool) -> JSONObject {
        var content = JSONObject()
        content[Self.problemType] = ["schema": OpenAPI.reference("Problem")]
        if form != .json, isPage { content[Self.pageType] = [:] }
        if form != .details { content["application/json"] = ["schema": ["type": "object"]] }
        var value: JSONObject = ["description": .string(summary)]
        if !fields.isEmpty { value["headers"] = .object(fields) }
        value["content"] = .object(content)
        return value
    }

    static let problemType = "application/problem+json"
    static let pageType = "text/html"

    /// RFC 9457, section 3.1.
    static let schema: JSONValue = [
        "type": "object",
        "description": "Problem details (RFC 9457).",
        "required": ["type", "title", "status"],
        "properties": [
            "type": ["type": "string", "format": "uri-reference", "description": "Names the kind of problem."],
            "title": ["type": "string", "description": "The same for every problem of this type."],
            "status": ["type": "integer", "description": "The status of the answer."],
            "detail": ["type": "string", "description": "What was wrong this time."],
            "instance": ["type": "string", "format": "uri-reference"],
        ],
    ]

    private static let pause = field("Seconds to wait (RFC 9110, section 10.2.3).")

    private static func field(_ summary: String) -> JSONValue {
        ["description": .string(summary), "schema": ["type": "string"]]
    }
}
