import HTTP
import Testing

@testable import API

struct OpenAPISchemaTests {
    @Test func `no two schemas have one name`() {
        let names = Schemas.parts.flatMap { $0.map(\.name) }

        #expect(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
        #expect(Schemas.all.count == names.count)
    }
}
