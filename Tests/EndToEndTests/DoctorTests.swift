import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
    @Test func `the doctor tells of what is wrong with machine, processes and backups, as text and as JSON`()
        async throws
    {
        try await withFolder { folder in
            try await withTestDatabase(migrated: true) { database in
                // A place that nobody can write to.
                try Data().write(to: URL(filePath: "\(folder)/file"))
                let settings = ["PICS_BACKUP_TO": "\(folder)/file/backups"]
                let pics = try await Pics.start(in: folder, database: database.settings.connection, settings: settings)
                await until { pics.process.logged.contains("periodic task failed task=make-backup") }
                try await pics.change(
                    """
                    INSERT INTO nodes (id, name, version, serves, works, resident_bytes, disk_free_bytes, disk_total_bytes, started_at, seen_at,
                                       unknown_proxy, most_connections)
                    VALUES (gen_random_uuid(), 'gone/1', '0.1.0', true, true, 0, 0, 0, now(), now() - interval '1 hour', '10.0.0.4', 0),
                           (gen_random_uuid(), 'old/1', '0.1.0', true, true, 0, 0, 0, now(), now(), '10.0.0.5', 100000)
                    """)
                #expect(chmod("\(folder)/data", 0o755) == 0)

                let doctor = try await pics.command("doctor")

                #expect(doctor.status == 1)
                for line in [
                    "permissions: Other users of this machine may look into",
                    "processes: gone/1 does not respond any more.",
                    "processes: The processes are of several releases: 0.1.0, 0.2.0.",
                    "backup: There is no backup yet: ",
                    "proxy: Requests come through a proxy at 10.0.0.5 that `trusted_proxies` does not name",
                    "database: 2 processes may open 1000",
                ] {
                    #expect(doctor.output.contains(line), "\(line)\n\(doctor.output)")
                }
                for word in ["clock:", "disk:", "mail:", "bucket:", "certificate:"] {
                    #expect(!doctor.output.contains(word), "\(word)\n\(doctor.output)")
                }
                let json = try JSONValue(parsing: Array(try await pics.command("doctor", "--json").output.utf8))
                #expect(json["status"]?.string == "fail")
                let areas = Set(json["findings"]?.array?.compactMap { $0["area"]?.string } ?? [])
                #expect(areas.isSuperset(of: ["permissions", "processes", "backup"]))
                #expect(await pics.stop() == 0)
            }
        }
    }
}
