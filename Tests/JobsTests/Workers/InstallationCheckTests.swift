import Blobs
import Crypto
import Domain
import Foundation
import Jobs
import Postgres
import Store
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InstallationCheckTests {
    @Test func `a new database and an empty folder get one identifier, and stay paired`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            try await bench.check().pair()
            _ = try await bench.storePhoto(Array("one".utf8))
            try await bench.check().pair()

            let id = try await bench.context.blobs.installation()
            #expect(id != nil)
            #expect(try await bench.store.installation() == id)
        }
    }

    @Test func `a start that was cut short between folder and database is repaired by the next`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let id = UUID()
            try await bench.context.blobs.setInstallation(id)

            try await bench.check().pair()

            #expect(try await bench.store.installation() == id)
        }
    }

    @Test func `the folder of another installation is refused, and nothing is changed`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let (files, database) = (UUID(), UUID())
            try await bench.context.blobs.setInstallation(files)
            _ = try await bench.store.setInstallation(database)

            await #expect(throws: InstallationCheck.Mismatch.different(files: files, database: database)) {
                try await bench.check().pair()
            }

            #expect(try await bench.context.blobs.installation() == files)
            #expect(try await bench.store.installation() == database)
        }
    }

    @Test func `files beside an empty database are refused, with and without an identifier`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            _ = try await bench.context.blobs.put(Array("original".utf8))

            for id in [nil, UUID()] {
                if let id { try await bench.context.blobs.setInstallation(id) }
                await #expect(throws: InstallationCheck.Mismatch.unknownFiles(count: 1)) {
                    try await bench.check().pair()
                }
            }

            #expect(try await bench.store.installation() == nil)
        }
    }

    @Test func `an installation from before there were identifiers is paired by its files`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            for number in 0..<5 { _ = try await bench.storePhoto(Array("photo \(number)".utf8)) }

            try await bench.check().pair()

            #expect(try await bench.store.installation() != nil)
        }
    }

    @Test func `a database whose files lie elsewhere is refused`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            for number in 0..<5 {
                let file = try await bench.storePhoto(Array("photo \(number)".utf8))
                _ = try await bench.context.blobs.remove(file.digest)
            }

            await #expect(throws: InstallationCheck.Mismatch.missingFiles(count: 5)) {
                try await bench.check().pair()
            }
        }
    }

    @Test func `a second folder is refused, also before the first has a file`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            try await bench.check().pair()
            let second = try SharedParts.blobs(in: bench.context.copiesFolder + "/blobs")
            let id = try #require(try await bench.store.installation())

            await #expect(throws: InstallationCheck.Mismatch.anotherStore(database: id)) {
                try await InstallationCheck(store: bench.store, blobs: second).pair()
            }

            #expect(try await second.installation() == nil)
        }
    }

    @Test func `files that were copied without the identifier are known by their names`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            let file = try await bench.storePhoto(Array("copied".utf8))
            try await bench.check().pair()
            let copy = try SharedParts.blobs(in: bench.context.copiesFolder + "/blobs")
            _ = try await copy.put(fileAt: bench.context.blobs.path(of: file.digest))

            try await InstallationCheck(store: bench.store, blobs: copy).pair()

            #expect(try await copy.installation() == bench.context.blobs.installation())
        }
    }

    @Test func `who says so may begin a database beside files, and goes on from there`() async throws {
        try await withBench(ScriptedSubmitter()) { bench in
            _ = try await bench.context.blobs.put(Array("original".utf8))

            let found = try await bench.check().adopt()

            #expect(found.files == 1)
            #expect(found.known == 0)
            try await bench.check().pair()
        }
    }
}

extension Bench {
    fileprivate func check() -> InstallationCheck { InstallationCheck(store: store, blobs: context.blobs) }
}
