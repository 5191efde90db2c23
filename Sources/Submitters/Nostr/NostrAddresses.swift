internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import System

/// The relays and servers of an account, as its settings keep them.
struct NostrAddresses: Sendable, Equatable {
    /// To which posts go, the most wanted first: `wss://relay.example/path`.
    var relays: [String]
    /// In which others say something to the account (NIP-65, "read").
    var inbox: [String]
    /// That keep files: `https://files.example`.
    var servers: [String]

    /// Of each; NIP-65 asks for two to four.
    static let most = 6

    /// Where a person names none and has no list. Public, and free for posts (postiz, `nostr.provider.ts`; read 2026-11-22).
    static let usualRelays = ["wss://nos.lol", "wss://relay.damus.io", "wss://relay.primal.net"]
    /// The same for files; of the first servers that clients offer (read 2026-11-26).
    static let usualServers = ["https://blossom.primal.net", "https://blossom.band"]

    init(relays: [String], inbox: [String] = [], servers: [String]) {
        (self.relays, self.inbox, self.servers) = (relays, inbox, servers)
    }

    init(_ settings: JSONValue) {
        func list(_ name: String) -> [String] { settings[name]?.array?.compactMap(\.string) ?? [] }
        self.init(relays: list("relay_list"), inbox: list("inbox"), servers: list("server_list"))
    }

    /// Every relay that may know something of the account's posts, each once.
    var all: [String] {
        var seen: Set<String> = []
        return (relays + inbox).filter { seen.insert($0).inserted }
    }
}

extension NostrAddresses {
    /// Reads the relays that a person has entered, apart by spaces or commas; nil for none.
    ///
    /// - Throws: `.rejected` when one is no address that `policy` allows, or they are too many.
    static func relays(_ entered: String?, policy: ServerPolicy) throws(SubmissionError) -> [String]? {
        try list(entered, "relays", "The address of a relay", "wss://relay.example") { text throws(SubmissionError) in
            try relay(text, policy: policy)
        }
    }

    /// The same for servers of files.
    static func servers(_ entered: String?, policy: ServerPolicy) throws(SubmissionError) -> [String]? {
        try list(entered, "servers", "The address of a server", "https://files.example") {
            text throws(SubmissionError) in
            try ServerOrigin(text, policy: policy).description
        }
    }

    private static func list(
        _ entered: String?, _ field: String, _ label: String, _ example: String,
        _ read: (String) throws(SubmissionError) -> String
    ) throws(SubmissionError) -> [String]? {
        let texts = (entered ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard !texts.isEmpty else { return nil }
        let invalid = SubmissionError.rejected(
            .valueInvalid, ProblemParameters(field: field, label: label, example: example))
        guard texts.count <= most else { throw invalid }
        var addresses: [String] = []
        for text in texts {
            do throws(SubmissionError) {
                let address = try read(text)
                if !addresses.contains(address) { addresses.append(address) }
            } catch {
                throw invalid
            }
        }
        return addresses
    }

    /// `wss://relay.example/path` of what is written so, with `https`, or without a scheme; `ws` where `policy` allows it.
    static func relay(_ text: String, policy: ServerPolicy) throws(SubmissionError) -> String {
        var text = text
        for (scheme, http) in [("wss://", "https://"), ("ws://", "http://")] where text.lowercased().hasPrefix(scheme) {
            text = http + text.dropFirst(scheme.count)
        }
        let origin = try ServerOrigin(text, policy: policy).description
        let path = URLComponents(entered: text)?.percentEncodedPath ?? ""
        let invalid = SubmissionError.rejected(
            .valueInvalid, ProblemParameters(label: "The address of a relay", example: "wss://relay.example"))
        guard path.utf8.count <= 200 else { throw invalid }
        return "ws\(origin.dropFirst("http".count))\(path == "/" ? "" : path)"
    }
}

extension NostrAddresses {
    /// What a person's lists say (NIP-65; BUD-03); what is no address, or not allowed, is left out.
    static func listed(_ events: [NostrEvent], by author: String, policy: ServerPolicy) -> NostrAddresses {
        func newest(_ kind: Int) -> NostrEvent? {
            events.filter { $0.kind == kind && $0.author == author }.max { $0.createdAt < $1.createdAt }
        }
        func relays(_ marker: String) -> [String] {
            let tags = newest(NostrEvent.Kind.relays)?.tags.filter { tag in
                tag[0] == "r" && tag.count > 1 && (tag.count == 2 || tag[2].isEmpty || tag[2] == marker)
            }
            return cleaned(tags?.map { $0[1] } ?? []) { text throws(SubmissionError) in try relay(text, policy: policy)
            }
        }
        let servers = newest(NostrEvent.Kind.servers)?.values("server") ?? []
        return NostrAddresses(
            relays: relays("write"), inbox: relays("read"),
            servers: cleaned(servers) { text throws(SubmissionError) in
                try ServerOrigin(text, policy: policy).description
            })
    }

    private static func cleaned(_ texts: [String], _ read: (String) throws(SubmissionError) -> String) -> [String] {
        var addresses: [String] = []
        for text in texts.prefix(50) where addresses.count < most {
            do throws(SubmissionError) {
                let address = try read(text)
                if !addresses.contains(address) { addresses.append(address) }
            } catch {
                // Lists of people have all sorts of words in them.
                continue
            }
        }
        return addresses
    }
}
