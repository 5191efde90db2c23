import Actions
import Crypto
import Domain
import FoundationEssentials
import Store
import System
import Web

/// The first admin of a new Pics and their token, made before anybody is served: what says that Pics is ready must not come
/// before the file that scripts read then.
struct FirstAdmin {
    private let user: User
    private let token: Secret<String>
    /// Of the link with which they choose a password; nil when they have one.
    private let passwordLink: Secret<String>?
    private let folder: DataFolder

    /// Makes an admin, and a token, when nobody has one yet; else nil.
    ///
    /// The token's file comes first: a start that is cut short is made up for by the next, which finds no token.
    static func create(_ runtime: Runtime) async throws -> FirstAdmin? {
        guard try await runtime.store.tokens().isEmpty else { return nil }
        let user: User
        if let present = try await runtime.store.users().first(where: \.isAdmin) {
            user = present
        } else {
            user = try await runtime.users.add("admin", isAdmin: true, timeZone: .own)
        }
        let token = TokenActions.make()
        try runtime.folder.keepAdminToken(token)
        try await TokenActions(store: runtime.store, limit: .max).add(
            token, of: user.id, named: "first admin", scopes: [.admin])
        var link: Secret<String>?
        if try await runtime.store.password(ofUserNamed: user.name)?.password == nil {
            link = try await runtime.users.passwordLink(for: user, age: .seconds(86_400))
        }
        return FirstAdmin(user: user, token: token, passwordLink: link, folder: runtime.folder)
    }

    /// Says how to begin. The token itself is shown to a person at a terminal alone: anything else may be kept, as the log
    /// of a container is.
    func announce(at base: String) {
        let isSeen = Terminal.showsOutput
        let path = folder.adminToken
        let intro =
            isSeen
            ? "The first admin's token, shown this once and kept in \(path):\n\n    \(token.reveal())"
            : "The first admin's token is in \(path)."
        Terminal.say(
            """

            Welcome to Pics. \(signIn(base))

            \(intro)

            Post a photo:

                curl -H "Authorization: Bearer \(isSeen ? token.reveal() : "$(cat '\(path)')")" \\
                     -F photo=@photo.jpg -F caption='My first photo' \(base)/v1/photos
            \(wayForPhones(base))
            """)
    }

    private func wayForPhones(_ base: String) -> String {
        guard !base.hasPrefix("https://") else { return "" }
        return """

            For a phone Pics needs HTTPS. If a name leads to this machine, this gets a certificate for it:

                pics serve --tls-domain pics.example.org

            docs/operation.md has three other ways: a certificate of yours, a proxy, a VPN.

            """
    }

    private func signIn(_ base: String) -> String {
        guard let passwordLink else { return "Sign in at \(base)/login" }
        return """
            Open this link in a browser to choose a password and sign in. It works once, for a day:

                \(Invitation.link(passwordLink, base: base))

            Later: `pics user passwd \(user.name)`, and \(base)/login
            """
    }
}
