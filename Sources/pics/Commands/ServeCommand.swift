import Domain
import Logging
import Settings

/// `pics serve`: serves clients and browsers, and works on the queue.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serves clients and browsers, and runs the queue."
    static let initiator = Initiator(.system)
    static let help = """
        pics serve [--no-workers] [--listen 127.0.0.1:8080] [--data-dir data] …

        Starts a private PostgreSQL in the data folder unless database_url names a server, applies pending migrations,
        makes the first admin, and serves until SIGTERM or SIGINT. A second signal stops at once.
        SIGHUP reads the certificates of tls_certificates again. SIGUSR2 starts the program now on the disk, which
        takes over the listening sockets and the private PostgreSQL before this process ends.
        --no-workers leaves the queue to `pics work`.
        """
    static let flags: Set<String> = ["no-workers"]

    static func run(_ arguments: Arguments) async throws -> Int32 {
        let configuration = try configuration(arguments)
        let listen = try ListenAddress(configuration.listen)
        guard !listen.isUnixSocket || configuration.baseURL != nil else {
            throw UsageError("Set base_url: links cannot be made of \(listen), where only this machine reaches Pics.")
        }
        try Program.checkAddressSpace()
        try MediaProgram(configuration).check()
        if Inheritance.current.sockets[PicsSettings.listen.name] == nil { try listen.probe() }
        if let text = configuration.listenTLS, Inheritance.current.sockets[PicsSettings.listenTLS.name] == nil {
            try ListenAddress(text, setting: PicsSettings.listenTLS.name).probe()
        }
        noticeWhereLinksPoint(listen, configuration)
        do {
            try await Runtime.with(configuration, name: "pics serve", for: .beginning, schema: .migrated) { runtime in
                try await Service(runtime, listen: listen, works: !arguments.flags.contains("no-workers")).run()
            }
        } catch {
            throw listen.explained(error)
        }
        return 0
    }

    private static func noticeWhereLinksPoint(_ listen: ListenAddress, _ configuration: Configuration) {
        guard configuration.baseURL == nil else { return }
        let logger = Logger(configuration)
        if listen.isWildcard {
            logger.notice(
                "base_url is not set: links will point to the address that stands for all, which leads nowhere",
                ["listen": listen])
        } else if listen.isLoopback {
            logger.notice(
                "base_url is not set: links will point to this machine and open nowhere else", ["listen": listen])
        }
    }
}
