package import EventLoops
package import HTTP

/// The services this Pics knows. `docs/adding-a-service.md` lists what a new one needs.
package struct Registry: Sendable {
    /// In the order in which people are shown them.
    package let submitters: [any Submitter]
    private let byName: [String: any Submitter]

    /// Registers submitters; a name or alias that is taken already stays with the first.
    package init(_ submitters: [any Submitter]) {
        self.submitters = submitters
        var byName: [String: any Submitter] = [:]
        for submitter in submitters {
            for name in [submitter.description.id] + submitter.description.aliases where byName[name] == nil {
                byName[name] = submitter
            }
        }
        self.byName = byName
    }

    /// Finds a service by any name that PhotoSubmitter took: `dropbox`, `Dropbox`, `DropboxPhotoSubmitter`.
    package subscript(name: String) -> (any Submitter)? {
        let suffix = "photosubmitter"
        var folded = name.lowercased()
        if folded.count > suffix.count, folded.hasSuffix(suffix) { folded.removeLast(suffix.count) }
        return byName[folded]
    }

    /// Whether everybody can open a post of an account with this `visibility`; nil is the service's default. In doubt, as with a
    /// visibility or a service that this program does not know, nobody can.
    package func isOpen(toEverybody visibility: String?, at service: String) -> Bool {
        guard let description = self[service]?.description else { return false }
        return description.hasPublicLinks && description.isForEverybody(visibility)
    }

    /// The name that people know a service by; its id where this program does not know it.
    package func name(of service: String) -> String { self[service]?.description.name ?? service }

    /// The ids, in order.
    package var names: [String] { submitters.map(\.description.id) }
}

/// The machine's resources that submitters need.
package struct SubmitterConfiguration: Sendable {
    /// The folder that the service `file` writes to; its parent must exist.
    package let archive: String
    /// For that writing, and for reading files that have to be hashed.
    package let threads: BlockingThreads
    /// Which servers users may name as theirs.
    package let servers: ServerPolicy

    package init(archive: String, threads: BlockingThreads, servers: ServerPolicy) {
        self.archive = archive
        self.threads = threads
        self.servers = servers
    }
}

extension Registry {
    /// Whether photos are posted at a service of this id: it is known, and not one at which a person confirms each order.
    package func takesPosts(_ service: String) -> Bool { self[service]?.description.isOrdered == false }
}

extension Registry {
    /// Every service that Pics knows, in the order in which people are shown them.
    package static func standard(_ configuration: SubmitterConfiguration) -> Registry {
        Registry([
            FileSubmitter(folder: configuration.archive, threads: configuration.threads),
            TwitterSubmitter(servers: configuration.servers),
            MastodonSubmitter(servers: configuration.servers),
            PixelfedSubmitter(servers: configuration.servers),
            BlueskySubmitter(servers: configuration.servers),
            DropboxSubmitter(servers: configuration.servers, threads: configuration.threads),
            FlickrSubmitter(servers: configuration.servers),
            FacebookSubmitter(servers: configuration.servers),
            InstagramSubmitter(servers: configuration.servers),
            ThreadsSubmitter(servers: configuration.servers),
            TumblrSubmitter(servers: configuration.servers),
            PinterestSubmitter(servers: configuration.servers, threads: configuration.threads),
            WordPressSubmitter(servers: configuration.servers),
            MicropubSubmitter(servers: configuration.servers),
            GooglePhotosSubmitter(servers: configuration.servers),
            YouTubeSubmitter(servers: configuration.servers),
            EvernoteSubmitter(servers: configuration.servers, threads: configuration.threads),
            HatenaSubmitter(servers: configuration.servers, threads: configuration.threads),
            MixiSubmitter(servers: configuration.servers),
            Mixi2Submitter(servers: configuration.servers),
            MinusSubmitter(servers: configuration.servers),
            WebDAVSubmitter(servers: configuration.servers),
            ImmichSubmitter(servers: configuration.servers, threads: configuration.threads),
            S3Submitter(servers: configuration.servers, threads: configuration.threads),
            MailSubmitter(servers: configuration.servers, threads: configuration.threads),
            DiscordSubmitter(servers: configuration.servers),
            MatrixSubmitter(servers: configuration.servers),
            TelegramSubmitter(servers: configuration.servers),
            NostrSubmitter(servers: configuration.servers, threads: configuration.threads),
            ProdigiSubmitter(servers: configuration.servers),
            LobSubmitter(servers: configuration.servers),
        ])
    }
}
