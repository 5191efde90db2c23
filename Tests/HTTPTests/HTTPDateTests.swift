import Foundation
import HTTP
import Testing

struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `the three forms of RFC 9110 mean the same second`(text: String) {
        #expect(HTTPDate(text)?.secondsSince1970 == 784_111_777)
    }

    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `a second is written as IMF-fixdate and read back`(seconds: Int64, text: String) {
        let date = HTTPDate(secondsSince1970: seconds)

        #expect(date.description == text)
        #expect(HTTPDate(text) == date)
    }

    @Test func `days of four centuries survive writing and reading`() {
        let dates = stride(from: Int64(-60_000), through: 90_000, by: 13).map {
            HTTPDate(secondsSince1970: $0 * 86_400 + 3661)
        }

        #expect(dates.allSatisfy { HTTPDate($0.description) == $0 })
    }

    @Test func `a year of two digits lies at most 50 years ahead`() {
        let now = HTTPDate(secondsSince1970: 1_795_000_000)  // November 2026

        #expect(HTTPDate("Monday, 06-Nov-76 08:49:37 GMT", now: now)?.description.contains("2076") == true)
        #expect(HTTPDate("Monday, 06-Nov-77 08:49:37 GMT", now: now)?.description.contains("1977") == true)
    }

    @Test(arguments: [
        "", "now", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test(arguments: [
        ("0", 0), ("120", 120), ("99999999999999999999", 86400), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
        ("Sun, 06 Nov 1994 08:48:59 GMT", 0), ("Sun, 06 Nov 1995 08:48:59 GMT", 86400),
    ])
    func `Retry-After is read in both forms and kept within a day`(value: String, seconds: Int) throws {
        let now = Date(timeIntervalSince1970: 784_111_740)

        #expect(try retryAfter(value, now: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "1.5", "soon"])
    func `a Retry-After of neither form is an error`(value: String) {
        #expect(throws: HTTPFieldError.malformed(field: "Retry-After")) { try retryAfter(value, now: Date()) }
    }
}
