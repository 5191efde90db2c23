import Domain
import Foundation
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReportTests {
    private func report(_ photo: PhotoID, by reporter: UInt8, _ text: String = "") -> NewReport {
        NewReport(
            photo: photo, reporter: [UInt8](repeating: reporter, count: 32), reason: .spam, text: text, address: nil)
    }

    @Test func `admins are told of a report by what they have chosen, others are not`() async throws {
        try await withStore { bench in
            let photo = try await bench.post().photo
            let admin = try await bench.store.addUser("dora", isAdmin: true)
            for user in [bench.owner.id, admin.id] {
                try await bench.database.change(
                    """
                    INSERT INTO mail_addresses (user_id, address, language, kinds, confirmed_at)
                    VALUES ('\(user)', 'a@example.org', 'en', '{reports}', now())
                    """)
            }
            try await bench.store.put(report(photo, by: 1))
            try await bench.store.put(report(photo, by: 2))
            let told = try await bench.database.number("SELECT count(*) FROM mails WHERE kind = 'report'")
            #expect(told == 1)
            #expect(try await bench.store.openReports(of: [photo.uuid], for: admin.id).count == 1)
            #expect(try await bench.store.openReports(of: [photo.uuid], for: bench.owner.id).isEmpty)
        }
    }

    @Test
    func `a photo has one report of an address and so many in all, which are decided together and kept for a time`()
        async throws
    {
        try await withStore { bench in
            let store = bench.store
            let photo = try await bench.post().photo
            for index in 0..<60 { try await store.put(report(photo, by: UInt8(index))) }
            try await store.put(report(photo, by: 0, "again"))
            #expect(try await store.openReportCount() == Report.mostOfPhoto)
            let first = try await store.openReports(limit: 2)
            #expect(first[0].text == "again" && first[0].owner.name == "alice")
            let rest = try await store.openReports(after: first[1].id, limit: 100)
            #expect(rest.count == Report.mostOfPhoto - 2)

            try await store.decide(first[0], .dismissed, by: bench.owner.id, note: "fine")

            #expect(try await store.openReportCount() == 0)
            await #expect(throws: StoreError.changed) { () async throws in
                try await store.decide(first[0], .deleted, by: bench.owner.id, note: "")
            }
            // What was decided stays as it is.
            try await store.put(report(photo, by: 0, "once more"))
            #expect(try await store.report(first[0].id).text == "again")
            #expect(try await store.decidedReports(limit: 100).first?.note == "fine")
            #expect(try await store.pruneReports(decidedBefore: .seconds(3600)) == 0)
            #expect(try await store.pruneReports(decidedBefore: .zero) == Report.mostOfPhoto)
        }
    }
}

/// What the checks of reports refuse.
enum ReportConstraints {
    static let refused = [
        Refused("reports_reporter_form", report(reporter: "'\\x00'")),
        Refused("reports_reason_known", report(reason: "'cake'")),
        Refused("reports_text_short", report(text: "repeat('a', 1001)")),
        Refused("reports_address_short", report(address: "'a'")),
        Refused("reports_decision_known", report(decision: "'eaten'", decided: "now()")),
        Refused("reports_note_short", report(note: "repeat('a', 1001)")),
        Refused("reports_decision_whole", report(decided: "now()")),
    ]

    private static func report(
        reporter: String = "sha256('a')", reason: String = "'spam'", text: String = "''", address: String = "NULL",
        decision: String = "NULL", decided: String = "NULL", note: String = "''"
    ) -> String {
        """
        INSERT INTO reports (id, photo_id, reporter, reason, text, address, decision, decided_at, note)
        SELECT gen_random_uuid(), id, \(reporter), \(reason), \(text), \(address), \(decision), \(decided), \(note) FROM photos
        """
    }
}
