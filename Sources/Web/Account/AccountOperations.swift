internal import HTTP
package import HTTPServer

extension Operation {
    static let account = Operation(
        "account", "Taking everything along, and leaving.", tags: ["people"],
        responses: [Response(.ok, "A page.", Content(["text/html": [:]]))])
    static let downloadExport = Operation(
        "downloadExport", "Everything that somebody owns.", tags: ["people"],
        responses: [Response(.ok, "The archive.", .binary("application/zip"))])
    static let deleteAccount = Operation(
        "deleteAccount", "Deletes an account.", tags: ["people"],
        body: Content(["application/x-www-form-urlencoded": [:]]),
        responses: [Response(.ok, "It is gone.", Content(["text/html": [:]]))])

    /// Of the API.
    package static let exportEverything = Operation(
        "exportEverything", "Everything that the caller owns, as a ZIP archive.",
        description: """
            The photos as they came, and what is known of them as JSON. `Content-Length` is told; an answer that is cut short \
            is asked for again.
            """, tags: ["account"],
        responses: [
            Response(
                .ok, "The archive.", .binary("application/zip"), fields: ["Content-Length": "Of the whole archive."]),
            .problem(.serviceUnavailable, "One is under way already."),
        ])
}
