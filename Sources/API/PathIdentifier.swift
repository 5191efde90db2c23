internal import Domain
internal import HTTPServer
internal import Store

extension HTTPRequest {
    /// The identifier that stands in the path where the route's pattern has `{id}`.
    ///
    /// - Throws: `StoreError.notFound` for anything else, as for what does not exist.
    func identifier<Thing>() throws(StoreError) -> Identifier<Thing> {
        guard let id = parameters["id"].flatMap({ Identifier<Thing>($0) }) else { throw .notFound }
        return id
    }
}
