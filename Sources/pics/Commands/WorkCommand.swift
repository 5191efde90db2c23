import Domain
import Logging
import Media
import Settings

/// `pics work`: works on the queue and serves nobody.
enum WorkCommand: Command {
    static let name = "work"
    static let summary = "Runs the queue only."
    static let initiator = Initiator(.system)
    static let help = """
        pics work

        Any number of processes can run the queue of one database, beside `pics serve`. They need the same files: a data folder on a
        shared disk, or `storage = s3`. base_url must be set: short links begin with it.
        """

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        guard let base = configuration[PicsSettings.shortBaseURL] ?? configuration.baseURL else {
            throw UsageError("Set base_url: short links are made of it.")
        }
        try Program.checkAddressSpace()
        try MediaProgram(configuration).check()
        try await Runtime.with(configuration, name: "pics work", for: .photos, schema: .migrated) { runtime in
            let blobs = try await runtime.openBlobs()
            let media = runtime.openMedia()
            let facts = ProcessFacts(isWorking: true, folder: runtime.folder.path)
            let node = NodeReporter(facts, serves: false, in: runtime)
            let queue = Queue(
                runtime, blobs: blobs, media: media,
                addresses: Addresses(base: base.text), others: copyTasks(blobs, runtime) + [node.task()])
            let signals = ServiceSignal.stream()
            async let working: Void = queue.run()
            runtime.logger.notice("working", ["version": version])
            Terminal.say("working on the queue")
            for await signal in signals where signal == .stop { break }
            runtime.logger.notice("stopping")
            facts.beginDraining()
            async let told: Void = node.tellDraining()
            await queue.stop(within: configuration[PicsSettings.drainTime])
            await working
            await told
            await media.stop()
            await node.tellEnd()
        }
        return 0
    }
}
