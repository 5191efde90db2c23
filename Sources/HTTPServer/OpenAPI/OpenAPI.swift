package import HTTP

/// Makes the API's description out of the table that routes requests, so that the two cannot differ.
///
/// Source: OpenAPI Specification 3.1.1. A schema is JSON Schema 2020-12.
package enum OpenAPI {
    /// The whole document.
    ///
    /// Every operation also gets the problems that any request can meet: 400, 414, 417, 429, 431, 500 and 503 always, 401 and 403
    /// with a scope, 404 with a parameter in its path, 408 and 413 with a body, 507 with a large one, 421 unless it answers under any
    /// host. 405 comes for the methods that a path does not have.
    ///
    /// - Returns: A JSON object; the same table gives the same bytes.
    /// - Parameters:
    ///   - title: The API's name.
    ///   - version: The API's version.
    ///   - summary: One sentence about it.
    ///   - routes: The routing table.
    ///   - places: The schemas of the names in braces of paths, unless an operation says it; others are plain strings.
    ///   - programs: The path below which problems are never pages; nil: nowhere are they.
    ///   - schemas: The schemas by name, as `reference(_:)` finds them. `Problem` is added.
    ///   - security: The security schemes by name; a route with a scope takes any one of them.
    package static func document(
        title: String, version: String, summary: String, routes: [Route], places: [Operation.Parameter] = [],
        pagesExcept programs: String? = nil, schemas: JSONObject = [:], security: JSONObject = [:]
    ) -> JSONValue {
        var paths = JSONObject()
        for route in routes {
            var item = paths[route.path]?.object ?? JSONObject()
            let isPage = programs.map { route.path != $0 && !route.path.hasPrefix("\($0)/") } ?? false
            item[route.method.rawValue.lowercased()] = operation(
                route, places, isPage: isPage, schemes: security.map(\.name))
            paths[route.path] = .object(item)
        }
        var schemas = schemas
        schemas["Problem"] = CommonProblem.schema
        var components: JSONObject = [
            "schemas": .object(schemas),
            "responses": .object(CommonProblem.responses(withPages: programs != nil)),
        ]
        if !security.isEmpty { components["securitySchemes"] = .object(security) }
        return [
            "openapi": "3.1.1",
            "info": ["title": .string(title), "version": .string(version), "summary": .string(summary)],
            "paths": .object(paths),
            "components": .object(components),
        ]
    }

    /// A schema that stands under this name in the document.
    package static func reference(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }

    private static func operation(
        _ route: Route, _ places: [Operation.Parameter], isPage: Bool, schemes: [String]
    ) -> JSONValue {
        let operation = route.operation
        var object: JSONObject = ["operationId": .string(operation.id), "summary": .string(operation.summary)]
        if let description = operation.description { object["description"] = .string(description) }
        if !operation.tags.isEmpty { object["tags"] = JSONValue(operation.tags) }
        let parameters = parameters(route, places)
        if !parameters.isEmpty { object["parameters"] = .array(parameters) }
        if let body = operation.body {
            var value: JSONObject = ["required": .bool(body.isRequired), "content": content(body)]
            if let summary = body.summary { value["description"] = .string(summary) }
            object["requestBody"] = .object(value)
        }
        object["responses"] = .object(responses(route, isPage: isPage))
        if let scope = route.scope {
            object["security"] = .array(schemes.map { .object([$0: [.string(scope)]]) })
        }
        return .object(object)
    }

    private static func parameters(_ route: Route, _ places: [Operation.Parameter]) -> [JSONValue] {
        let described = route.operation.parameters
        let rest = route.parameterNames.filter { name in !described.contains { $0.place == .path && $0.name == name } }
        let inPath = rest.map { name in
            places.first { $0.name == name } ?? Operation.Parameter(name, in: .path, "Part of the path.")
        }
        return (inPath + described).map { parameter in
            [
                "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
                "required": .bool(parameter.isRequired), "description": .string(parameter.summary),
                "schema": parameter.schema,
            ]
        }
    }

    /// `isPage` says that a problem among them may be a page.
    private static func content(_ content: Operation.Content, isPage: Bool = false) -> JSONValue {
        var object = JSONObject()
        for type in content.types { object[type.name] = ["schema": type.schema] }
        if isPage, object[CommonProblem.problemType] != nil { object[CommonProblem.pageType] = [:] }
        return .object(object)
    }

    private static func responses(_ route: Route, isPage: Bool) -> JSONObject {
        var responses = JSONObject()
        for response in route.operation.responses {
            var value: JSONObject = ["description": .string(response.summary)]
            if !response.fields.isEmpty {
                var headers = JSONObject()
                for field in response.fields {
                    headers[field.name] = ["description": .string(field.summary), "schema": ["type": "string"]]
                }
                value["headers"] = .object(headers)
            }
            if let body = response.content { value["content"] = content(body, isPage: isPage) }
            responses[String(response.status.code)] = .object(value)
        }
        for problem in CommonProblem.of(route) where responses[String(problem.status)] == nil {
            guard route.operation.problemContent == .details else {
                responses[String(problem.status)] = .object(
                    problem.response(route.operation.problemContent, isPage: isPage))
                continue
            }
            responses[String(problem.status)] = [
                "$ref": .string("#/components/responses/\(problem.name(isPage: isPage))")
            ]
        }
        return responses
    }
}
