import Actions
import Domain
import HTTP
import Testing

struct PhotoDraftTests {
    private func draft(_ json: String) throws -> PhotoDraft {
        let value = try JSONValue(parsing: Array(json.utf8))
        return try PhotoDraft(members: try value.members(), limit: 1000)
    }

    @Test(arguments: [
        #"{"location": {"latitude": 59.3293, "longitude": 18.0686}}"#, #"{"location": "59.3293,18.0686"}"#,
    ])
    func `a location is taken as an object and as a text`(json: String) throws {
        #expect(try draft(json).position == Position(latitude: 59.3293, longitude: 18.0686))
    }

    @Test func `a location is taken as it is written`() throws {
        let position = try #require(Position(latitude: -33.5, longitude: 151.25))

        let written = String(decoding: JSONValue(position).serialized, as: UTF8.self)

        #expect(try draft("{\"location\": \(written)}").position == position)
    }

    @Test func `members that a photo does not have may be null`() throws {
        let json = #"{"location": null, "recipe": null, "album": null, "scheduled_at": null}"#

        #expect(try draft(json) == PhotoDraft())
    }

    @Test(arguments: [
        #"{"location": {"latitude": 91, "longitude": 0}}"#, #"{"location": {"latitude": 1}}"#,
        #"{"location": {"latitude": "1", "longitude": 0}}"#, #"{"location": [1, 2]}"#,
        #"{"location": {"latitude": 1, "longitude": 2, "altitude": 3}}"#,
    ])
    func `a location that is none is refused`(json: String) {
        #expect(throws: InvalidField.self) { try draft(json) }
    }
}
