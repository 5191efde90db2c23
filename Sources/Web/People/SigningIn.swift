internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension Web {
    /// A user whose password was right just now.
    struct Proven {
        let user: User
        /// What is kept of the password.
        let kept: String
    }

    /// Compares a password. Nil when it is wrong or the user is unknown, in the same time.
    ///
    /// - Throws: `RateLimitExceeded` when too many were wrong from this address or for this user: then none is compared.
    func prove(_ name: String, _ entered: String, _ request: Request) async throws -> Proven? {
        let byAddress = try rates.deposit(.wrongPasswords, for: request)
        let byUser: RateLimiter.Deposit
        do {
            byUser = try rates.deposit(.wrongPasswordsOfUser, for: request, subject: name)
        } catch {
            rates.refund(byAddress)
            throw error
        }
        func refund() {
            rates.refund(byAddress)
            rates.refund(byUser)
        }
        do {
            let proven = try await compare(name, entered)
            if proven != nil { refund() }
            return proven
        } catch {
            refund()
            throw error
        }
    }

    private func compare(_ name: String, _ entered: String) async throws -> Proven? {
        guard let password = Password(entered) else { return nil }
        let record = User.isValidName(name) ? try await store.password(ofUserNamed: name) : nil
        let finding = try await people.passwords.compare(password, with: record?.password)
        guard let record, let kept = record.password, finding != .wrong else { return nil }
        guard finding == .outdated else { return Proven(user: record.user, kept: kept) }
        let renewed = try await people.passwords.hash(password)
        try await store.replacePassword(of: record.user.id, kept, by: renewed)
        return Proven(user: record.user, kept: renewed)
    }

    /// Begins a new session, ends the one that the browser had, and sends it to `path`. Nil when the password was changed
    /// in this very moment.
    func signIn(_ proven: Proven, _ request: Request, to path: String) async throws -> Response? {
        let token = makeToken(prefix: "session").reveal()
        let session = NewSession(
            id: .make(), user: proven.user.id, hash: SHA256Digest(of: token).bytes,
            browser: String((request.fields["User-Agent"] ?? "").prefix(300)), address: request.remoteAddress)
        guard try await store.begin(session, password: proven.kept, people.life) else { return nil }
        try await endSession(of: request)
        var response = Response.seeOther(path)
        response.fields.add(
            "Set-Cookie", BrowserCookie.session.field(token, age: people.life.age, for: request))
        response.fields.add("Set-Cookie", BrowserCookie.visit.removal(for: request))
        return response
    }

    /// Ends the session that a request came with, if there is one.
    func endSession(of request: Request) async throws {
        guard let person = try await signedIn(request) else { return }
        do {
            try await store.endSession(person.session, of: person.user.id)
        } catch {
            // Somebody else may have ended it meanwhile.
            guard error == .notFound else { throw error }
        }
    }

    /// Sends a browser whose session has ended to the sign-in page.
    func signedOut(_ request: Request) -> Response {
        var response = Response.seeOther("/login")
        response.fields.add("Set-Cookie", BrowserCookie.session.removal(for: request))
        return response
    }
}
