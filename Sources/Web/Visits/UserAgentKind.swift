/// The kind of a client by `User-Agent`: unchecked, and good enough to count by.
enum UserAgentKind: Sendable {
    case person
    case bot

    /// Browsers call themselves Mozilla for the sake of old servers, but for these.
    private static let browsers = ["mozilla/", "opera/", "lynx/", "w3m/", "links ", "elinks/", "dillo/", "netsurf/"]

    /// Words in the names of bots that call themselves Mozilla too: crawlers, previews of networks and messengers, browsers
    /// without a window, watchers, and the address that well-behaved ones leave.
    private static let tokens = [
        "bot", "crawl", "spider", "slurp", "preview", "headless", "lighthouse", "+http", "facebookexternalhit",
        "facebookcatalog", "externalagent", "mediapartners", "inspectiontool", "googleother", "read-aloud", "favicon",
        "fetcher", "archiver", "archive.org", "embedly", "iframely", "scanner", "validator", "monitor", "uptime",
        "pingdom", "ptst/", "phantomjs", "selenium", "puppeteer", "playwright",
    ]

    /// No longer name is looked through.
    private static let longest = 1024

    /// The kind of the browser or program that sent this `User-Agent`.
    init(_ userAgent: String?) {
        let name = (userAgent ?? "").utf8.prefix(Self.longest).map { byte in
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
        let isBrowser = Self.browserNames.contains { name.starts(with: $0) }
        self = isBrowser && !Self.namesBot(name) ? .person : .bot
    }

    private static let browserNames = browsers.map { Array($0.utf8) }
    /// By their first bytes.
    private static let botNames = tokens.map { Array($0.utf8) }.reduce(into: [[[UInt8]]](repeating: [], count: 256)) {
        $0[Int($1[0])].append($1)
    }

    /// It is asked for each view of a page, so it goes over the bytes once.
    private static func namesBot(_ name: [UInt8]) -> Bool {
        name.indices.contains { start in
            botNames[Int(name[start])].contains { name[start...].starts(with: $0) } && !isCubot(name, start)
        }
    }

    /// Cubot makes telephones.
    private static func isCubot(_ name: [UInt8], _ start: Int) -> Bool {
        start >= 2 && name[(start - 2)...].starts(with: "cubot".utf8)
    }
}
