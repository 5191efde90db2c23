internal import HTTP
internal import HTTPServer

extension Operation {
    static func performAction(_ action: String) -> Operation {
        Operation(
            "\(action)FromStatus", "What an admin does about a submission: \(action).", tags: ["people"],
            body: Content(["application/x-www-form-urlencoded": [:]]),
            responses: [Response(.seeOther, "It was done; the next page.", fields: ["Location": "The next page."])])
    }
}
