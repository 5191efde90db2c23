internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Submitters
internal import Testing

/// The part of `docs/services/README.md` that the run of the suite writes.
///
/// With `PICS_WRITE_SERVICES_TABLE=1` the run writes it; without, a table that differs is a failure.
struct ServicesTable {
    private static let start =
        "<!-- The conformance suite writes from here: PICS_WRITE_SERVICES_TABLE=1 script/test -->"
    private static let end = "<!-- to here -->"
    private static let path = #filePath.components(separatedBy: "/Tests/")[0] + "/docs/services/README.md"

    private let noted: [Run.Cell: Bool]
    private let submitters: [any Submitter]

    init(_ noted: [Run.Cell: Bool]) {
        self.noted = noted
        let threads = BlockingThreads(name: "archive", count: 1)
        defer { threads.stop() }
        submitters =
            Registry.standard(SubmitterConfiguration(archive: "/nowhere", threads: threads, servers: .publicOnly))
            .submitters
    }

    /// Compares the table with the run, or writes it.
    func settle() throws {
        guard isWhole else { return }
        for problem in problems { Issue.record("\(problem)") }
        let readme = try String(contentsOfFile: Self.path, encoding: .utf8)
        guard let start = readme.range(of: Self.start), let end = readme.range(of: Self.end) else {
            Issue.record("docs/services/README.md has no place for the table")
            return
        }
        let table = text
        guard ProcessInfo.processInfo.environment["PICS_WRITE_SERVICES_TABLE"] != nil else {
            #expect(
                readme[start.upperBound..<end.lowerBound] == table,
                "docs/services/README.md is not what the run has shown; PICS_WRITE_SERVICES_TABLE=1 writes it")
            return
        }
        try readme.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
            .write(toFile: Self.path, atomically: true, encoding: .utf8)
    }

    /// Whether all tests ran: a part of them says nothing about the others.
    private var isWhole: Bool {
        let arguments = CommandLine.arguments
        let isFiltered = arguments.contains("--filter") || arguments.contains("--skip")
        return !isFiltered || Set(noted.keys.map(\.showing)) == Set(Showing.allCases)
    }

    /// Claims that are neither shown nor excused, or both; of a service that the suite does not know, all claims.
    private var problems: [String] {
        submitters.map(\.description.id).flatMap { service in
            Showing.allCases.compactMap { showing -> String? in
                let reason = Exceptions.reason(service, showing)
                switch noted[Run.Cell(service: service, showing: showing)] {
                case nil where reason == nil:
                    return "\(service): nothing shows \(showing.rawValue), and no reason says why"
                case true? where reason != nil:
                    return "\(service): \(showing.rawValue) is shown, and a reason says why not"
                case false?: return "\(service): \(showing.rawValue) failed"
                default: return nil
                }
            }
        }
    }

    private var text: String {
        var reasons: [String] = []
        let behaviours = table("caption", Showing.behaviours, { Self.caption($0) }, &reasons)
        let failures = table(nil, Showing.failures, { _ in nil }, &reasons)
        let list = reasons.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
        return """


            What a service can do:

            \(behaviours)

            What comes back, and what an account can do with it; services that are not here tell numbers at most:

            \(conversation)

            What may go wrong, and ends as it should:

            \(failures)

            Where there is a number, this is why not:

            \(list)


            """
    }

    /// As the types say.
    private var conversation: String {
        var lines = [["service", "lists", "tells what is new", "reply", "favourite", "repost", "timeline"]]
        lines.append(lines[0].map { _ in "---" })
        for submitter in submitters where submitter is any RespondingSubmitter {
            let acts = (submitter as? any InteractingSubmitter)?.interactions([:]) ?? []
            let facts = [
                true, submitter is any NewsSubmitter, acts.contains(.reply), acts.contains(.favourite),
                acts.contains(.repost), submitter is any TimelineSubmitter,
            ]
            let service = submitter.description.id
            lines.append(["[\(service)](\(service).md)"] + facts.map { $0 ? "yes" : "no" })
        }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private func table(
        _ first: String?, _ columns: [Showing], _ fact: (any Submitter) -> String?, _ reasons: inout [String]
    ) -> String {
        let headings = ["service"] + (first.map { [$0] } ?? []) + columns.map(\.rawValue)
        var lines = [headings, headings.map { _ in "---" }]
        for submitter in submitters {
            let service = submitter.description.id
            var line = ["[\(service)](\(service).md)"]
            if let fact = fact(submitter) { line.append(fact) }
            for column in columns {
                if noted[Run.Cell(service: service, showing: column)] == true {
                    line.append("yes")
                    continue
                }
                let reason = Exceptions.reason(service, column) ?? "Not shown."
                if !reasons.contains(reason) { reasons.append(reason) }
                line.append(String((reasons.firstIndex(of: reason) ?? 0) + 1))
            }
            lines.append(line)
        }
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    /// How long a caption may be, as the type says.
    private static func caption(_ submitter: any Submitter) -> String {
        let description = submitter.description
        if description.isOrdered { return "on the order" }
        if Subject.allCases.first(where: { $0.service == description.id })?.publishedText.isEmpty == true {
            return "in the file"
        }
        guard let limit = description.captionRule.limit else { return "of any length" }
        let unit =
            switch description.captionRule.unit {
            case .codePoints, .graphemes: "characters"
            case .weighted: "weighted characters"
            case .utf16Units: "UTF-16 units"
            case .utf8Bytes: "bytes"
            case .emojiBytes: "characters, emoji by bytes"
            }
        return "\(limit) \(unit)\(description.settingsLife == nil ? "" : ", or what the account says")"
    }
}
