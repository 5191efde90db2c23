internal import Foundation
internal import Media

/// Small servers and clients for `script/measure`.
@main
enum PicsBench {
    /// Not `async`: the main thread of an asynchronous program ends in a way that callgrind cannot follow.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "server": serve(try options(arguments, ["--port", "--loops", "--folder", "--chain", "--key"]))
            case "allocations":
                let fields = try options(arguments, ["--fields"])["--fields"].flatMap { Int($0) }
                try Allocations.count(fields: fields ?? 4)
            case "pictures": pictures(try options(arguments, ["--file", "--formats", "--program"]))
            case "queue": queue(try options(arguments, ["--lanes", "--jobs", "--at-once", "--database"]))
            case "day": day(try options(arguments, ["--posts", "--people", "--database"]))
            case "neighbours": neighbours(try options(arguments, ["--lanes", "--database"]))
            case "crash": crash(try options(arguments, ["--submissions", "--kills", "--workers", "--seed"]))
            case "lost-answers": lostAnswers(try options(arguments, ["--submissions", "--seed"]))
            case "crash-worker": crashWorker(try options(arguments, ["--database", "--folder", "--fake", "--seed"]))
            case "idle": try idle(try options(arguments, ["--port", "--count", "--pid"]))
            default:
                print(help)
                exit(arguments.isEmpty || arguments == ["--help"] ? 0 : 2)
            }
        } catch {
            print("pics-bench: \(error)")
            exit(1)
        }
    }

    private static func serve(_ values: [String: String]) {
        var options = BenchServer.Options()
        options.port = values["--port"].flatMap { UInt16($0) } ?? options.port
        options.loops = max(1, values["--loops"].flatMap { Int($0) } ?? options.loops)
        options.folder = values["--folder"]
        if let chain = values["--chain"], let key = values["--key"] { options.certificate = (chain, key) }
        Task.detached { [options] in
            do {
                try await BenchServer.run(options)
            } catch {
                print("pics-bench: \(error)")
                exit(1)
            }
        }
        while true { sleep(3600) }
    }

    private static func queue(_ values: [String: String]) {
        var options = QueueBench.Options()
        options.lanes = values["--lanes"].flatMap { Int($0) } ?? options.lanes
        options.jobs = values["--jobs"].flatMap { Int($0) } ?? options.jobs
        options.concurrency = values["--at-once"].flatMap { Int($0) } ?? options.concurrency
        options.conninfo = values["--database"]
        run { [options] in try await QueueBench.run(options) }
    }

    private static func day(_ values: [String: String]) {
        var options = DayBench.Options()
        options.posts = values["--posts"].flatMap { Int($0) } ?? options.posts
        options.people = max(1, values["--people"].flatMap { Int($0) } ?? options.people)
        options.conninfo = values["--database"]
        run { [options] in try await DayBench.run(options) }
    }

    private static func neighbours(_ values: [String: String]) {
        var options = QueueBench.Options()
        options.lanes = values["--lanes"].flatMap { Int($0) } ?? options.lanes
        options.conninfo = values["--database"]
        run { [options] in try await FairnessBench.run(options) }
    }

    private static func crash(_ values: [String: String]) {
        var options = CrashHarness.Options()
        options.submissions = values["--submissions"].flatMap { Int($0) } ?? options.submissions
        options.kills = values["--kills"].flatMap { Int($0) } ?? options.kills
        options.workers = values["--workers"].flatMap { Int($0) } ?? options.workers
        options.seed = values["--seed"].flatMap { UInt64($0) } ?? options.seed
        run { [options] in try await CrashHarness(options).run() }
    }

    private static func lostAnswers(_ values: [String: String]) {
        var options = LostResponses.Options()
        options.submissions = values["--submissions"].flatMap { Int($0) } ?? options.submissions
        options.seed = values["--seed"].flatMap { UInt64($0) } ?? options.seed
        run { [options] in try await LostResponses(options).run() }
    }

    private static func crashWorker(_ values: [String: String]) {
        let options = CrashWorker.Options(
            conninfo: values["--database"] ?? "", folder: values["--folder"] ?? "", fake: values["--fake"] ?? "",
            seed: values["--seed"].flatMap { UInt64($0) } ?? 0)
        run { try await CrashWorker.run(options) }
    }

    private static func run(_ work: @escaping @Sendable () async throws -> Void) {
        Task.detached {
            do {
                try await work()
                exit(0)
            } catch {
                print("pics-bench: \(error)")
                exit(1)
            }
        }
        while true { sleep(3600) }
    }

    private static func pictures(_ values: [String: String]) {
        let formats = (values["--formats"] ?? "jpeg,webp").split(separator: ",").compactMap {
            Rendition.Format(rawValue: String($0))
        }
        let program = values["--program"] ?? CommandLine.arguments[0].replacing("pics-bench", with: "pics-media")
        Task.detached {
            do {
                try await PublicPictures.make(of: values["--file"] ?? "", in: formats, by: program)
                exit(0)
            } catch {
                print("pics-bench: \(error)")
                exit(1)
            }
        }
        while true { sleep(3600) }
    }

    private static func idle(_ values: [String: String]) throws {
        guard let process = values["--pid"].flatMap({ Int32($0) }) else {
            throw IdleConnections.Failure(description: "--pid names the server's process")
        }
        try IdleConnections.hold(
            values["--count"].flatMap { Int($0) } ?? 10_000, port: values["--port"].flatMap { UInt16($0) } ?? 8080,
            of: process)
    }

    /// `--name VALUE` pairs behind the command.
    private static func options(_ arguments: [String], _ names: Set<String>) throws -> [String: String] {
        var values: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard names.contains(name), let value = rest.popFirst() else {
                throw IdleConnections.Failure(description: "\(name) is no option, or has no value\n\n\(help)")
            }
            values[name] = value
        }
        return values
    }

    private static let help = """
        Usage: pics-bench server [--port NUMBER] [--loops NUMBER] [--folder PATH] [--chain FILE --key FILE]
               pics-bench allocations [--fields NUMBER]
               pics-bench idle --pid NUMBER [--port NUMBER] [--count NUMBER]
               pics-bench pictures --file PATH [--formats LIST] [--program PATH]

          server   Answers /livez with 13 bytes and /task with the same from a task, on 127.0.0.1, until it is ended.
                   --port defaults to 8080, 0 takes a free one; --loops defaults to 1. With --folder it serves
                   /files/NAME and stores PUT /blobs/NAME; with a certificate it listens for TLS on the next port too.
          allocations
                   Tells how often memory is allocated for a request with so many header fields (4).
          idle     Opens --count connections to a server on 127.0.0.1 (10000), asks once on each and holds them until
                   its standard input ends; tells what the process --pid has grown by.
          pictures Makes all public pictures of a file in these formats (jpeg,webp) with one pics-media, which lies
                   beside this program; tells the seconds, and the most memory that it held.
        """
}
