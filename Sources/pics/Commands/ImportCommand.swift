import Actions
import Domain
import FoundationEssentials
import Logging
import Media
import Settings
import Store
import System

/// `pics import PATH…`: brings photos from elsewhere into a user's.
enum ImportCommand: Command {
    static let name = "import"
    static let summary = "Imports photos from archives of other services, an export of Pics, or a folder."
    static let help = """
        pics import PATH… [--user NAME]

        Takes exports of Pics, the archives that Google Takeout, Mastodon, Pixelfed, Instagram (JSON) and Flickr give out, as ZIP or
        tar.gz or unpacked, and folders of photos with XMP files beside them. Several paths are one archive in parts.
        Photos keep their dates, captions, alternative texts and albums. A photo is public only where its source says that it was.
        Nothing is sent anywhere. What was imported before is left out, so an import that was stopped goes on when it is begun again.
        --user names whose photos they become; it may be left out where there is one user. docs/import.md says what comes over.
        Exit status: 0 when everything is there, 1 when something failed, 2 for a mistake in the command.
        """
    static let options: Set<String> = ["user"]
    static let wordLimit = 1000

    /// Between two lines about what has been done.
    private static let pause: TimeInterval = 5

    static func run(_ arguments: Arguments) async throws -> Int32 {
        guard !arguments.words.isEmpty else { throw misfit(arguments) }
        let materials = try arguments.words.map(material)
        let configuration = try configuration(arguments)
        try MediaProgram(configuration).check()
        return try await Runtime.with(configuration, name: "pics import", for: .photos) { runtime in
            let user = try await user(named: arguments["user"], runtime.store)
            let media = runtime.openMedia()
            let context = try Handlers.actions(
                runtime, try await runtime.openBlobs(), media, wakeWorkers: {}, pageChanged: { _ in })
            let status: Int32
            do {
                status = try await run(materials, arguments.words, ImportActions(PhotoActions(context)), for: user)
            } catch {
                await media.stop()
                throw error
            }
            await media.stop()
            return status
        }
    }

    private static func run(
        _ materials: [ImportMaterial], _ paths: [String], _ imports: ImportActions, for user: User
    ) async throws -> Int32 {
        let name = paths.map { URL(filePath: $0).lastPathComponent }.joined(separator: ", ")
        let last = Lock((said: Date(), counts: ImportCounts()))
        let report: ImportReport
        do {
            report = try await imports.run(materials, named: name, for: user) { counts in
                let isNews = last.withLock { last in
                    guard counts != last.counts, Date().timeIntervalSince(last.said) > pause else { return false }
                    last = (Date(), counts)
                    return true
                }
                if isNews { Terminal.say("\(counts.ended) of \(counts.found): \(line(counts))") }
            }
        } catch let problem as ImportProblem {
            throw CommandFailure("The import ended before all was done. \(problem)")
        }
        for failure in report.failures { Terminal.say("failed: \(failure.file.printable)  \(failure.problem)") }
        if report.counts.failed > report.failures.count {
            Terminal.say("and \(report.counts.failed - report.failures.count) more")
        }
        Terminal.say(line(report.counts))
        return report.counts.failed == 0 ? 0 : 1
    }

    private static func line(_ counts: ImportCounts) -> String {
        "\(counts.imported) imported, \(counts.known) already there, \(counts.failed) failed"
    }

    private static func material(_ path: String) throws(UsageError) -> ImportMaterial {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw UsageError("There is no \(path).")
        }
        return isFolder ? .folder(path) : .archive(path)
    }

    private static func user(named name: String?, _ store: PicsStore) async throws -> User {
        if let name {
            guard let user = try await store.password(ofUserNamed: name)?.user else {
                throw CommandFailure("There is no user \(name). `pics user add \(name)` adds one.")
            }
            return user
        }
        let users = try await store.userRecords().map(\.user)
        guard let user = users.first, users.count == 1 else {
            throw UsageError("There are \(users.count) users. Say whose photos they become with --user NAME.")
        }
        return user
    }
}
