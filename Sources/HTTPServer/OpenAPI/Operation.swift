package import HTTP

/// The description of a route, for people and programs that read `/openapi.json` (OpenAPI 3.1.1, "Operation Object").
package struct Operation: Sendable {
    /// Unique in the table, for generated clients: `showPhoto`.
    package let id: String
    package let summary: String
    package let description: String?
    package let tags: [String]
    /// Those of the query and the header. Parameters of the path that are missing here are added as plain strings.
    package let parameters: [Parameter]
    package let body: Content?
    /// The responses, beyond the problems that the document adds by itself.
    package let responses: [Response]

    /// The content of the problems that the document adds by itself.
    package var problemContent = ProblemContent.details

    package enum ProblemContent: Sendable {
        /// Problem details.
        case details
        /// Problem details, or JSON of the operation's protocol.
        case detailsOrJSON
        /// JSON of the operation's protocol, and problem details where no route is known yet; never a page.
        case json
    }

    /// The names of the parameters of the query, in order.
    package var queryNames: [String] { parameters.filter { $0.place == .query }.map(\.name) }

    /// Takes the parts as they are.
    package init(
        _ id: String, _ summary: String, description: String? = nil, tags: [String] = [], parameters: [Parameter] = [],
        body: Content? = nil, responses: [Response]
    ) {
        self.id = id
        self.summary = summary
        self.description = description
        self.tags = tags
        self.parameters = parameters
        self.body = body
        self.responses = responses
    }

    /// A parameter of the path, the query or the header.
    package struct Parameter: Sendable {
        package enum Place: String, Sendable { case path, query, header, cookie }

        let name: String
        let place: Place
        let schema: JSONValue
        let summary: String
        let isRequired: Bool

        /// A parameter; one of the path is always required.
        package init(
            _ name: String, in place: Place = .query, _ summary: String, schema: JSONValue = ["type": "string"],
            required: Bool = false
        ) {
            self.name = name
            self.place = place
            self.schema = schema
            self.summary = summary
            isRequired = required || place == .path
        }
    }

    /// The media types of a body, each with its schema.
    package struct Content: Sendable {
        let types: [(name: String, schema: JSONValue)]
        let isRequired: Bool
        let summary: String?

        /// A body that may come in any of these types.
        package init(_ types: KeyValuePairs<String, JSONValue>, _ summary: String? = nil, required: Bool = true) {
            self.types = types.map { ($0.key, $0.value) }
            self.summary = summary
            isRequired = required
        }

        /// A JSON body of the named schema.
        package static func json(_ schema: String) -> Content {
            Content(["application/json": OpenAPI.reference(schema)])
        }

        /// Any bytes of these media types.
        package static func binary(_ types: String...) -> Content { Content(types: types.map { ($0, [:]) }) }

        private init(types: [(name: String, schema: JSONValue)]) {
            self.types = types
            isRequired = true
            summary = nil
        }
    }

    /// A status and what comes with it.
    package struct Response: Sendable {
        package let status: HTTPStatus
        let summary: String
        let content: Content?
        let fields: [(name: String, summary: String)]

        /// A response; `fields` are the header fields that matter to a client, with their meaning.
        package init(
            _ status: HTTPStatus, _ summary: String, _ content: Content? = nil,
            fields: KeyValuePairs<String, String> = [:]
        ) {
            self.status = status
            self.summary = summary
            self.content = content
            self.fields = fields.map { ($0.key, $0.value) }
        }

        /// Problem details.
        package static func problem(_ status: HTTPStatus, _ summary: String) -> Response {
            Response(status, summary, Content(["application/problem+json": OpenAPI.reference("Problem")]))
        }
    }
}
