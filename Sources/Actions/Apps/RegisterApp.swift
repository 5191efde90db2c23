package import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Logging
package import Store
internal import System

/// The things that are done with apps: programs that people let into their accounts by OAuth.
package struct AppActions: Sendable {
    package let store: PicsStore
    package let addresses: Addresses
    let sites: SiteReader
    let logger: Logger

    package init(_ context: ActionContext, sites: SiteReader) {
        (store, addresses, logger) = (context.store, context.addresses, context.logger)
        self.sites = sites
    }

    /// The identifier of this server, its base address with a slash (RFC 8414, section 2; RFC 9207).
    package var issuer: String { "\(addresses.base)/" }
}

/// An app that registers itself.
package struct NewApp: Sendable {
    package var kind: App.Kind
    package var name: String
    package var website: String?
    package var redirectURIs: [String]
    /// The most it will ask for.
    package var scopes: AppScopes
    package var hasSecret: Bool
    package var refreshes: Bool

    package init(
        _ kind: App.Kind, name: String, website: String?, redirectURIs: [String], scopes: AppScopes, hasSecret: Bool,
        refreshes: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.website = website
        self.redirectURIs = redirectURIs
        self.scopes = scopes
        self.hasSecret = hasSecret
        self.refreshes = refreshes
    }
}

extension AppActions {
    /// Apps that nobody has let in, at most.
    private static let mostWaiting = 2000
    private static let mostRedirects = 20

    /// Registers an app. Anybody may: it can do nothing before somebody lets it in, and is forgotten when nobody has within a day.
    ///
    /// - Returns: The app, and its secret, which is shown this once.
    /// - Throws: `OAuthError`; `StoreError`.
    package func register(_ new: NewApp, requestID: String) async throws -> (app: App, secret: Secret<String>?) {
        guard (1...Self.mostRedirects).contains(new.redirectURIs.count) else {
            throw OAuthError(.invalidRedirectURI, "There must be 1 to \(Self.mostRedirects) redirect addresses.")
        }
        for address in new.redirectURIs where RedirectURI(address) == nil {
            throw OAuthError(
                .invalidRedirectURI,
                """
                A redirect address must be https, http on this machine, a scheme of the app's own, or \
                \(RedirectURI.outOfBand); without a fragment.
                """)
        }
        let website = new.website.flatMap { $0.isEmpty ? nil : $0 }
        guard website?.isWebAddress != false else {
            throw OAuthError(.invalidClientMetadata, "The website must be an address by http or https.")
        }
        guard let name = AppName.read(new.name) else {
            throw OAuthError(
                .invalidClientMetadata, "The name must have 1 to 100 characters, and not be that of this server.")
        }
        let secret = new.hasSecret ? makeToken(prefix: "secret") : nil
        let app = App(
            id: .make(), clientID: makeToken(prefix: "app").reveal(), kind: new.kind, hasSecret: new.hasSecret,
            name: name, website: website, redirectURIs: new.redirectURIs, scopes: new.scopes, refreshes: new.refreshes,
            createdAt: Date())
        let hash = secret.map { SHA256Digest(of: $0.reveal()).bytes }
        guard let record = try await store.addApp(app, secretHash: hash, most: Self.mostWaiting) else {
            throw OAuthError.tooManyApps
        }
        logger.info("app registered", ["app": record.app.id, "name": record.app.name, "request": requestID])
        return (record.app, secret)
    }

    /// The app that a request is about: one that has registered, or one whose name is its address, which is read.
    ///
    /// - Throws: `OAuthError.wrongClient`, also when its address says nothing of it; `StoreError`.
    func app(_ clientID: String) async throws -> App {
        guard (1...2000).contains(clientID.utf8.count) else { throw OAuthError.wrongClient }
        if let record = try await store.app(clientID: clientID), record.app.kind != .site { return record.app }
        guard clientID.isWebAddress else { throw OAuthError.wrongClient }
        let site = try await sites.app(at: clientID)
        guard let kept = try await store.keepSite(site) else { throw OAuthError.wrongClient }
        return kept.app
    }
}

/// The name of an app, as it says itself.
enum AppName {
    /// The name as it is shown; nil for one that nobody sees, that turns text, and for the name of this very server, with which an app
    /// could ask in its stead.
    static func read(_ text: String) -> String? {
        let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        do throws(Profile.Mistake) {
            guard let shown = try Profile.read(displayName: name, about: "", links: []).displayName else { return nil }
            return looks(shown, like: "pics") ? nil : shown
        } catch {
            return nil
        }
    }

    /// Whether readers take a name for `other`: whatever accents, spaces and signs it has, and with the letters of other scripts
    /// that look the same (Unicode Technical Standard 39, confusables).
    private static func looks(_ name: String, like other: String) -> Bool {
        // By scalars: a letter with an accent is one character.
        let plain = String(String.UnicodeScalarView(name.decomposed.unicodeScalars.map(plainLetter))).lowercased()
            .unicodeScalars
        let isLetter = { (scalar: Unicode.Scalar) in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        // A sign stands for a letter, or for nothing.
        return [plain.filter { isLetter($0) || lookalikes[$0] != nil }, plain.filter(isLetter)].contains { letters in
            letters.map { lookalikes[$0] ?? $0 }.elementsEqual(other.unicodeScalars)
        }
    }

    /// The Latin letter or the digit that a scalar is a form of, by its name: MATHEMATICAL BOLD SMALL P, CIRCLED LATIN SMALL LETTER P and
    /// the like.
    private static func plainLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let scalar = scalar.withUsualWidth
        if let number = scalar.properties.numericValue, (0...9).contains(number), number == number.rounded() {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(number))
        }
        guard !scalar.isASCII, let words = scalar.properties.name?.split(separator: " "), let letter = words.last,
            words.contains(where: { kindsOfLatin.contains($0) })
        else { return scalar }
        return switch letter {
        case "RHO": "p"
        case "IOTA": "i"
        default: letter.utf8.count == 1 ? letter.unicodeScalars.first ?? scalar : scalar
        }
    }

    private static let kindsOfLatin: Set<Substring> = [
        "LATIN", "MATHEMATICAL", "MODIFIER", "INDICATOR", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER",
    ]

    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "р": "p", "ρ": "p", "і": "i", "ι": "i", "ı": "i", "l": "i", "1": "i", "!": "i", "|": "i", "ӏ": "i",
        "с": "c", "ϲ": "c", "ѕ": "s", "$": "s", "5": "s", "ꜱ": "s", "ᴄ": "c", "ɪ": "i", "ᴘ": "p",
        "ℹ": "i", "ⅽ": "c", "ⅼ": "i", "ϱ": "p", "ᵨ": "p",
    ]
}
