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
        return problems + [tooMany, internalError, unavailable]
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

    /// All of them as they stand in `components/responses`.
    static var responses: JSONObject {
        var responses = JSONObject()
        let all = [
            badRequest, unauthorized, forbidden, notFound, timeout, tooLarge, tooMany, internalError, unavailable,
        ]
        for problem in all {
            var value: JSONObject = ["description": .string(problem.summary)]
            if !problem.fields.isEmpty { value["headers"] = .object(problem.fields) }
            value["content"] = ["application/problem+json": ["schema": OpenAPI.reference("Problem")]]
            responses[problem.name] = .object(value)
        }
        return responses
    }

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
