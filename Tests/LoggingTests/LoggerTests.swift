import Foundation
import Testing

@testable import Logging

struct LoggerTests {
    private let sink = RecordingSink()

    private func logger(_ threshold: LogLevel? = .trace, _ format: LogFormat = .logfmt) -> Logger {
        Logger(threshold: threshold, format: format, sink: sink) { Date(timeIntervalSince1970: 1_795_289_400.123) }
    }

    @Test func `an event is one line of logfmt`() {
        logger().info("photo stored", ["photo": "0198c2", "bytes": 3_145_728, "took": .milliseconds(12) as Duration])

        #expect(sink.lines == ["2026-11-21T19:30:00.123Z info photo stored photo=0198c2 bytes=3145728 took=12.0ms"])
    }

    @Test func `an event is one JSON object`() throws {
        logger(.info, .json).warning("slow \"query\"", ["rows": 12, "cached": false, "share": 0.5, "name": "a\nb"])

        let expected = """
            {"time":"2026-11-21T19:30:00.123Z","level":"warning","message":"slow \\"query\\"","rows":12,"cached":false,\
            "share":0.5,"name":"a\\nb"}
            """
        #expect(sink.lines == [expected])
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(expected.utf8)) }
    }

    @Test(arguments: LogFormat.allCases) func `a line that is added to others is the one that is written alone`(
        _ format: LogFormat
    ) {
        let logger = logger(.info, format).with(["node": "a b"])
        var lines: [UInt8] = []
        for (text, number) in [
            ("/a", 0), ("", 1), ("/a b\n\u{202E}=\"", -7), (String(repeating: "é", count: 600), 1_000_000),
            ("ab", 12_345_678_901),
        ] as [(String, Int64)] {
            logger.info(
                "request",
                [
                    "path": text, "bytes": number, "duration": Duration.nanoseconds(abs(number)),
                    "route": nil as String?, "cut": true,
                ])
            logger.add(to: &lines, .info, "request") { line in
                line.add("path", text)
                line.add("bytes", number)
                line.add("duration", nanoseconds: abs(number))
                line.add("route", nil)
                line.add("cut")
            }
        }
        let alone = sink.lines
        logger.write(lines)
        #expect(alone.count == 5)
        #expect(Array(sink.lines.dropFirst(5)) == alone)
    }

    @Test func `a field that makes an added line too long is left out of it alone`() {
        let logger = logger()
        var lines = Array("before\n".utf8)
        for _ in 0..<2 {
            logger.add(to: &lines, .info, "request") { line in
                for name in 0..<6 { line.add("text", String(repeating: "\(name)", count: 1024)) }
                line.add("status", 200)
            }
        }
        logger.write(lines)
        #expect(sink.lines.count == 3)
        #expect(sink.lines[1...].allSatisfy { $0.hasSuffix(" status=200 left_out=3") && $0.utf8.count < LogLine.limit })
    }

    @Test func `infinity and NaN do not break the JSON`() throws {
        logger(.info, .json).info("ratio", ["a": Double.infinity, "b": Double.nan])

        let line = try #require(sink.lines.first)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test func `an event below the threshold makes neither a line nor its fields`() {
        var made = 0
        func fields() -> LogFields {
            made += 1
            return [:]
        }

        logger(.notice).info("quiet", fields())
        logger(nil).error("silent", fields())
        logger(.notice).notice("loud", fields())

        #expect(sink.lines.count == 1)
        #expect(made == 1)
    }

    @Test func `a child adds its fields to each event`() {
        let request = logger().with(["request": 7]).with(["user": "ann lee"])

        request.debug("answered", ["status": 200])

        #expect(sink.lines == ["2026-11-21T19:30:00.123Z debug answered request=7 user=\"ann lee\" status=200"])
    }

    @Test func `a field without a value is left out`() {
        let absent: String? = nil
        let present: Int? = 3

        logger().info("submitted", ["remote": absent, "attempt": present])

        #expect(sink.lines == ["2026-11-21T19:30:00.123Z info submitted attempt=3"])
    }

    @Test(arguments: [
        ("line\nbreak", #""line\nbreak""#),
        ("carriage\r\nreturn", #""carriage\r\nreturn""#),
        ("escape\u{1B}[2J", #""escape\u001b[2J""#),
        ("bidi\u{202E}gpj", #"bidi\u202egpj"#),
        ("next\u{85}line", #"next\u0085line"#),
        ("separator\u{2028}", #"separator\u2028"#),
        ("invisible\u{E0041}", #"invisible\udb40\udc41"#),
        ("a=b", #""a=b""#),
        (#"say "hi" \ bye"#, #""say \"hi\" \\ bye""#),
        ("", #""""#),
        ("blåbär 🫐", #""blåbär 🫐""#),
    ])
    func `a client cannot forge a line`(text: String, shown: String) {
        logger().info("said", ["text": text])

        #expect(sink.lines == ["2026-11-21T19:30:00.123Z info said text=\(shown)"])
    }

    @Test(arguments: LogFormat.allCases)
    func `a long value is cut and counted`(format: LogFormat) throws {
        logger(.info, format).info("said", ["text": String(repeating: "é", count: 1000)])

        let line = try #require(sink.lines.first)
        #expect(line.contains(String(repeating: "é", count: 512) + "…(+976 bytes)"))
        #expect(line.utf8.count < 1200)
    }

    @Test(arguments: LogFormat.allCases)
    func `a line fits into what a pipe takes at once`(format: LogFormat) throws {
        let noise = String(repeating: "\u{1B}", count: 5000)

        logger(.info, format).with(["a": noise, "b": noise]).info(noise, ["c": noise, "d": noise, "e": 1])

        let line = try #require(sink.lines.first)
        #expect(line.utf8.count < LogLine.limit)
        #expect(line.contains("left_out"))
    }

    @Test func `a type that hides itself stays hidden inside others`() {
        struct Hidden: CustomStringConvertible, CustomDebugStringConvertible {
            var description: String { "[secret]" }
            var debugDescription: String { "[secret]" }
        }

        logger().info("signed in", ["token": Hidden(), "tokens": [Hidden()]])

        #expect(sink.lines == ["2026-11-21T19:30:00.123Z info signed in token=[secret] tokens=[[secret]]"])
    }
}
