import Blobs
import Domain
import FoundationEssentials
import Jobs
import Logging
import Settings
import Store

/// `pics blobs`: the stored files.
enum BlobsCommand: Command {
    static let name = "blobs"
    static let summary = "Checks the stored files, moves them, or pairs them with the database."
    static let help = """
        pics blobs check     compares every stored file with its digest, restores those that are missing or damaged from the other place or a
                             backup, and lists the photos of the rest
        pics blobs move s3   copies all files of the data folder to the bucket of s3_url; `move folder` copies them back
        pics blobs adopt     pairs the files with the database, unconditionally

        A database and the folder of its files carry the identifier of one installation, and Pics refuses to start where they
        differ. Use `adopt` for a new or restored database beside existing files. Files that the database does not know are moved
        to lost+found a day later and deleted after four weeks.
        Files are moved while Pics runs, and what is stored meanwhile by moving again: run `move s3`, set `storage = s3`, restart, and
        run it once more. Each file is compared with its digest; the others stay where they are.
        Exit status of check: 0 when all files are whole, else 1.
        """
    static let wordLimit = 2

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        switch arguments.words.first {
        case "check": return try await check(configuration)
        case "adopt": return try await adopt(configuration)
        case "move":
            guard arguments.words.count == 2, let target = Storage(setting: arguments.words[1]) else {
                throw UsageError("Say where files are to be copied: `pics blobs move s3` or `pics blobs move folder`.")
            }
            return try await move(to: target, configuration)
        case let word?: throw UsageError("There is no `pics blobs \(word)`. There are check, move and adopt.")
        case nil:
            throw UsageError("Say what is to be done: `pics blobs check`, `pics blobs move` or `pics blobs adopt`.")
        }
    }

    private static func check(_ configuration: Configuration) async throws -> Int32 {
        try await Runtime.with(configuration, name: "pics blobs", for: .photos) { runtime in
            let scrubber = BlobScrubber(
                store: runtime.store, blobs: try await runtime.openBlobs(), readsAll: true, spare: runtime.spare,
                logger: runtime.logger)
            // What was checked since this moment is not due again.
            let begin = Date()
            var count = 0
            while case let round = try await scrubber.scrub(all: begin), round > 0 {
                count += round
                Terminal.say("\(count) files checked")
            }
            let faults = try await runtime.store.blobFaults()
            if faults.healed > 0 { Terminal.say("\(faults.healed) files were restored from a copy within 30 days") }
            guard faults.missing + faults.damaged > 0 else {
                Terminal.say("all stored files are whole")
                return 0
            }
            Terminal.say("\(faults.missing) files are missing, \(faults.damaged) are damaged")
            for code in try await runtime.store.faultyPhotos(limit: 1000) {
                Terminal.say(runtime.addresses.shortURL(code))
            }
            return 1
        }
    }

    private static func move(to target: Storage, _ configuration: Configuration) async throws -> Int32 {
        try await Runtime.with(configuration, name: "pics blobs", for: .photos) { runtime in
            let blobs = try await runtime.openBlobs()
            guard let bucket = blobs.bucket else {
                throw CommandFailure("There is no bucket. Set s3_url and s3_bucket.")
            }
            do throws(BlobError) { try await bucket.probe() } catch { throw CommandFailure(error, at: bucket.shown) }
            let place: BlobStore.Place = target == .s3 ? .bucket : .folder
            // Whoever uses the other place later has to find there what it belongs to.
            if let id = try await blobs.installation() { try await blobs.setInstallation(id, in: place) }
            var (copied, known, damaged) = (0, 0, 0)
            for shard in UInt8.min...UInt8.max {
                let moved = try await blobs.move(shard: shard, to: place)
                copied += moved.copied
                known += moved.known
                damaged += moved.damaged.count
                for digest in moved.damaged { Terminal.complain("damaged, not copied: \(digest)") }
                if shard % 16 == 15 {
                    Terminal.say("\((Int(shard) + 1) * 100 / 256)%: \(copied) files copied, \(known) were there")
                }
            }
            let there = target == .s3 ? bucket.shown : runtime.folder.shown
            Terminal.say("all files are in \(there)" + (damaged > 0 ? ", except \(damaged) that are damaged" : ""))
            return damaged == 0 ? 0 : 1
        }
    }

    private static func adopt(_ configuration: Configuration) async throws -> Int32 {
        try await Runtime.with(configuration, name: "pics blobs", for: .beginning) { runtime in
            let blobs = try runtime.openUnpairedBlobs()
            let (files, known) = try await InstallationCheck(store: runtime.store, blobs: blobs).adopt()
            Terminal.say("paired: \(files) files in \(blobs.shown), and the database knows \(known)")
            return 0
        }
    }
}

extension CommandFailure {
    /// The trouble with a bucket, at the address that people read.
    init(_ error: BlobError, at bucket: String) {
        self.init("\(bucket): \(error). Check s3_url, s3_bucket and the access key.")
    }

    /// Why database and files were not used together, and how to go on.
    init(_ mismatch: InstallationCheck.Mismatch, files: String) {
        let reason =
            switch mismatch {
            case .different(let folder, let database):
                "The files in \(files) belong to the installation \(folder), and the database to \(database)."
            case .unknownFiles(let count):
                "There are \(count) stored files in \(files), and the database knows none or hardly any of them."
            case .missingFiles(let count):
                "The database knows \(count) stored files, and none or hardly any of them is in \(files)."
            case .anotherStore(let database):
                "The database belongs to the installation \(database), whose files are in another folder than \(files)."
            }
        self.init(
            """
            \(reason) Nothing was changed.
            Name the database that the files belong to in database_url, or their folder with --data-dir; every process of an \
            installation uses the same folder. After a restore from a backup put back both.
            If the two are to be used together all the same: `pics blobs adopt`.
            """)
    }
}
