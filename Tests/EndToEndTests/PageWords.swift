import Foundation

/// The words of a page: its text, and the names of its parts for those who do not see it.
struct PageWords {
    /// One for each run of text between tags, and for each label in an attribute.
    let sentences: [String]

    init(_ html: String, in language: String) {
        // Texts to type or copy, names of zones, and pictures.
        let kept = #/(?s)<(script|style|code|pre|svg|select name="time_zone").*?<\/(script|style|code|pre|svg|select)>/#
        // A language that can be chosen names itself.
        let shown = html.replacing(kept, with: " ").replacing(#/<option [^>]*lang="[^>]*>[^<]*/#, with: " ")
            // Initials.
            .replacing(#/<span class="avatar[^>]*>[^<]*/#, with: " ")
        let own = language == "en" ? shown : shown.replacing(#/(?s)<bdi lang="en">.*?<\/bdi>/#, with: " ")
        let text = own.replacing(#/<[^>]*>/#, with: "\u{0}").split(separator: "\u{0}").map(String.init)
        let labels = shown.matches(of: #/ (?:aria-label|placeholder|alt)="([^"]*)"/#).map { String($0.1) }
        sentences = (text + labels)
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }

    /// Names that are the same in every language, and words of what the test itself has written.
    private static let names: Set<String> = [
        "Pics", "API", "JSON", "ZIP", "QR", "UTC", "MB", "GB", "GiB", "TiB", "kB", "ID", "Web",
        "PostgreSQL", "OAuth",
        "PKCE", "AtomPub", "EDAM", "Graph", "UTF", "X", "S", "JPEG", "read", "write", "return_schemes", "base_url",
        "Etc", "iPhone", "Android", "HTTP", "Shortcuts", "Tasker", "URL", "POST", "multipart", "form", "data", "photo",
        "caption", "HTTPS",
        "RSS", "Atom", "Feed", "trusted_proxies", "admin", "alice", "phone", "curl", "Chrome",
        "VPN", "Linux", "Debian", "deb", "u", "Threads", "Telegram", "Misskey", "first", "berta", "archive", "Lakes",
        "sandbox", "live", "Budget", "Standard", "SKU", "test_", "live_", "USD",
    ]

    /// Those that have a word that is neither Japanese nor a name: `services` are names too.
    func foreignToJapanese(_ services: Set<String>) -> [String] {
        sentences.filter { sentence in
            let words =
                sentence
                .replacing(#/&[a-z]+;|&#\d+;/#, with: " ")
                // Addresses, hosts, files and what stands for something in a caption.
                .replacing(#/https?:\/\/[^\s（）、。]+|[\w@\/-]+(\.[\w-]+)+[\w\/]*|\{\w+\}|@\w+/#, with: " ")
                .matches(of: #/[A-Za-z][A-Za-z_]*/#).map { String($0.output) }
            return words.contains { !Self.names.contains($0) && !services.contains($0) }
        }
    }

    /// Those with a Japanese character.
    var japanese: [String] {
        sentences.filter { $0.unicodeScalars.contains { 0x3000...0x30FF ~= $0.value || 0x4E00...0x9FFF ~= $0.value } }
    }
}
