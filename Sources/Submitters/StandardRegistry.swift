package import EventLoops
package import HTTP

/// What the services of this Pics need of the machine they run on.
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
    /// Every service that Pics knows, in the order in which people are shown them.
    package static func standard(_ configuration: SubmitterConfiguration) -> Registry {
        Registry([
            FileSubmitter(folder: configuration.archive, threads: configuration.threads),
            TwitterSubmitter(servers: configuration.servers),
            MastodonSubmitter(servers: configuration.servers),
            BlueskySubmitter(servers: configuration.servers),
            DropboxSubmitter(servers: configuration.servers, threads: configuration.threads),
            FlickrSubmitter(servers: configuration.servers),
            FacebookSubmitter(servers: configuration.servers),
            TumblrSubmitter(servers: configuration.servers),
            GooglePhotosSubmitter(servers: configuration.servers),
            EvernoteSubmitter(servers: configuration.servers, threads: configuration.threads),
            HatenaSubmitter(servers: configuration.servers, threads: configuration.threads),
            MixiSubmitter(servers: configuration.servers),
            Mixi2Submitter(servers: configuration.servers),
            MinusSubmitter(servers: configuration.servers),
            WebDAVSubmitter(servers: configuration.servers),
            DiscordSubmitter(servers: configuration.servers),
        ])
    }
}
