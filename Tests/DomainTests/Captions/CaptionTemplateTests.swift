import Foundation
import System
import Testing

@testable import Domain

struct CaptionTemplateTests {
    private let link = "https://pics.example/Ab3dE9xZ"

    private func render(_ template: String, caption: String = "Hello", at moment: String, in zone: String = "UTC")
        throws
        -> String
    {
        CaptionTemplate.render(
            template, caption: caption, moment: try Date(moment, strategy: .iso8601),
            timeZone: try #require(Zone(named: zone)), shortURL: link)
    }

    @Test(arguments: [
        ("2026-01-01T00:00:00Z", "1/365 2026-01-01"),
        ("2026-12-31T23:59:59Z", "365/365 2026-12-31"),
        ("2024-02-29T12:00:00Z", "60/366 2024-02-29"),
        ("2024-12-31T12:00:00Z", "366/366 2024-12-31"),
        ("1999-03-01T12:00:00Z", "60/365 1999-03-01"),
    ])
    func `a photo is day x of its year`(moment: String, expected: String) throws {
        #expect(try render("{day}/{days} {date}", at: moment) == expected)
    }

    @Test(arguments: [
        ("Pacific/Auckland", "1 of 365, 2027-01-01"),
        ("America/Los_Angeles", "365 of 365, 2026-12-31"),
        ("Asia/Tokyo", "1 of 365, 2027-01-01"),
    ])
    func `the user's time zone decides which day it is`(zone: String, expected: String) throws {
        #expect(try render("{day} of {days}, {date}", at: "2026-12-31T15:00:00Z", in: zone) == expected)
    }

    @Test(arguments: [
        ("", ""),
        ("plain", "plain"),
        ("{caption}", "Hello"),
        ("{caption} {short_url}", "Hello https://pics.example/Ab3dE9xZ"),
        ("{caption}{caption}", "HelloHello"),
        ("{unknown} {Caption} { caption }", "{unknown} {Caption} { caption }"),
        ("{{caption}} {", "{Hello} {"),
        ("}{caption", "}{caption"),
        ("{}", "{}"),
    ])
    func `tokens are replaced and all else stays as written`(template: String, expected: String) throws {
        #expect(try render(template, at: "2026-11-21T10:00:00Z") == expected)
    }

    @Test func `a token inside the caption is the caption's`() throws {
        #expect(try render("{caption}!", caption: "{day}", at: "2026-11-21T10:00:00Z") == "{day}!")
    }
}
