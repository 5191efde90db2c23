internal import Connecting
internal import Domain
internal import Submitters

/// What a service takes and lets people do, in words.
struct ServiceFacts {
    let submitter: any Submitter

    private var service: ServiceDescription { submitter.description }

    /// In a line.
    var line: String {
        var parts = [takesVideo ? "Photos and videos" : "Photos", "captions: \(captions)"]
        if submitter is any AlbumSubmitter { parts.append("albums") }
        return parts.joined(separator: " · ")
    }

    /// One by one: what it is about, and what the service says to it.
    var list: [(term: String, fact: String)] {
        var list = [
            ("Photos", Self.size(service.mediaRule.maximumPictureBytes)),
            ("Videos", takesVideo ? Self.size(service.mediaRule.maximumVideoBytes) : "none"),
            ("Captions", captions), ("Alternative text", service.takesAltText ? "yes" : "no"),
            ("Albums", submitter is any AlbumSubmitter ? "list, choose and create" : "none"), ("Position", position),
        ]
        let changes = [
            (submitter is any EditingSubmitter, "change"), (submitter is any DeletingSubmitter, "take back"),
        ].filter(\.0).map(\.1)
        list.append(
            ("Later", changes.isEmpty ? "posts stay as they are" : changes.joined(separator: " and ") + " posts"))
        if submitter is any EngagementSubmitter { list.append(("Likes", "counted there, shown here")) }
        return list
    }

    private var takesVideo: Bool { !service.mediaRule.videoTypes.isEmpty }

    private var captions: String {
        guard let limit = service.captionRule.limit else { return "any length" }
        let unit = service.captionRule.unit == .utf8Bytes ? "bytes" : "characters"
        return "\(Self.grouped(limit)) \(unit)"
    }

    private var position: String {
        switch service.position {
        case .never: "not told"
        case .always: "as in the original, which only you see there"
        case .chosen: "told if you choose so"
        }
    }

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case .max: "of any size"
        case 1_000_000_000...: "up to \(tenths(bytes, of: 1_000_000_000)) GB"
        default: "up to \(tenths(bytes, of: 1_000_000)) MB"
        }
    }

    /// With one decimal where it tells something.
    private static func tenths(_ bytes: Int64, of unit: Int64) -> String {
        let tenths = bytes / (unit / 10)
        return tenths % 10 == 0 || tenths > 100 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }

    /// `20,000`.
    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

/// Whether accounts of a service can be connected now, and how.
struct ServiceReadiness {
    /// Nil: not in the browser.
    let browser: (any OAuthSubmitter)?
    /// What the operator has to enter first, before the browser is a way.
    let missing: [CredentialField]
    /// What a person may enter instead.
    let fields: [CredentialField]
    let hasEnded: Bool

    /// Whether anybody can connect an account now.
    var isReady: Bool { missing.isEmpty && !hasEnded }

    init(_ submitter: any Submitter, _ known: Applications.Known) {
        let browser = submitter as? any OAuthSubmitter
        self.browser = browser
        fields = submitter.description.credentialFields
        hasEnded = submitter.description.hasEnded
        let names = browser?.missingKeys(of: known.keys) ?? []
        missing = names.compactMap { name in browser?.oauth.appFields.first { $0.name == name } }
    }

    /// In a few words.
    var words: String {
        if hasEnded { return "Has ended" }
        if browser == nil { return fields.isEmpty ? "You enter nothing" : "You enter \(Self.kind(of: fields))" }
        if missing.isEmpty { return "You agree in the browser" }
        return fields.isEmpty ? "Keys are missing" : "Keys are missing; you may bring your own"
    }

    private static func kind(of fields: [CredentialField]) -> String {
        guard let secret = fields.first(where: \.isSecret) else { return "what it asks for" }
        if secret.prompt.lowercased().contains("app password") { return "an app password" }
        if secret.prompt.lowercased().contains("password") { return "name and password" }
        return secret.prompt.lowercased().contains("token") ? "a token" : "name and key"
    }
}
