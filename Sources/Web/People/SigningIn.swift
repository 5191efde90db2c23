internal import Crypto
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// A user whose password was right just now.
    struct Proven {
        let user: User
        /// What is kept of the password.
        let kept: String
    }

    /// Compares a password.
    ///
    /// Strangers are counted by their address and by the user they name. Who has signed in, in this session or once in this browser,
    /// is counted apart from them: no stranger keeps them out.
    ///
    /// - Parameters:
    ///   - name: Of the user.
    ///   - entered: The password.
    ///   - request: Where it was entered.
    ///   - session: The user's own, if they have signed in.
    /// - Returns: Nil when it is wrong or the user is unknown, in the same time.
    /// - Throws: `RateLimitExceeded` when too many were wrong: then none is compared.
    func prove(
        _ name: String, _ entered: String, _ request: HTTPRequest, in session: SessionID? = nil
    ) async throws -> Proven? {
        let record = User.isValidName(name) ? try await store.password(ofUserNamed: name) : nil
        let known =
            session.map { "session \($0)" }
            ?? record.flatMap {
                DeviceCookie.bucket(of: devices.device(request), guessing: $0.user.id, password: $0.password)
            }
        let deposits = try deposits(forPasswordOf: name, known: known, request)
        do {
            let user = known == nil ? nil : record?.user.id
            let caller = user.map { PasswordHasher.Requester.known($0) } ?? .anonymous(request.remoteAddress)
            let proven = try await compare(record, entered, for: caller)
            if proven != nil { for deposit in deposits { rates.refund(deposit) } }
            return proven
        } catch {
            for deposit in deposits { rates.refund(deposit) }
            throw error
        }
    }

    private func deposits(
        forPasswordOf name: String, known: String?, _ request: HTTPRequest
    ) throws(RateLimitExceeded) -> [RateLimiter.Deposit] {
        // A name has no space in it, as those who are known have.
        if let known { return [try rates.deposit(.wrongPasswordsOfUser, for: request, subject: known)] }
        let byAddress = try rates.deposit(.wrongPasswords, for: request)
        do throws(RateLimitExceeded) {
            return [byAddress, try rates.deposit(.wrongPasswordsOfUser, for: request, subject: name)]
        } catch {
            rates.refund(byAddress)
            throw error
        }
    }

    private func compare(
        _ record: PasswordRecord?, _ entered: String, for caller: PasswordHasher.Requester
    ) async throws -> Proven? {
        guard let password = Password(entered) else { return nil }
        let finding = try await management.passwords.compare(password, with: record?.password, for: caller)
        guard let record, let kept = record.password, finding != .wrong else { return nil }
        guard finding == .outdated else { return Proven(user: record.user, kept: kept) }
        let renewed = try await management.passwords.hash(password, for: caller)
        try await store.replacePassword(of: record.user.id, kept, by: renewed)
        return Proven(user: record.user, kept: renewed)
    }

    /// Begins a new session, ends the one that the browser had, sends it to `path` and knows it from then on. Nil when the password was changed
    /// in this very moment.
    func signIn(_ proven: Proven, _ request: HTTPRequest, to path: String) async throws -> HTTPResponse? {
        let token = makeToken(prefix: "session").reveal()
        let session = NewSession(
            id: .make(), user: proven.user.id, hash: SHA256Digest(of: token).bytes,
            browser: String((request.fields["User-Agent"] ?? "").prefix(300)), address: request.remoteAddress)
        guard try await store.begin(session, password: proven.kept, management.life) else { return nil }
        try await endSession(of: request)
        var response = HTTPResponse.seeOther(path)
        response.fields.add(
            "Set-Cookie", BrowserCookie.session.field(token, age: management.life.age, for: request))
        response.fields.add("Set-Cookie", BrowserCookie.visit.removal(for: request))
        response.fields.add(
            "Set-Cookie", try devices.field(for: proven.user.id, password: proven.kept, request))
        return response
    }

    /// Ends the session that a request came with, if there is one.
    func endSession(of request: HTTPRequest) async throws {
        guard let caller = try await signedIn(request) else { return }
        do {
            try await store.endSession(caller.session, of: caller.user.id)
        } catch {
            // Somebody else may have ended it meanwhile.
            guard error == .notFound else { throw error }
        }
    }

    /// Sends a browser whose session has ended to the sign-in page.
    func signedOut(_ request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse.seeOther("/login")
        response.fields.add("Set-Cookie", BrowserCookie.session.removal(for: request))
        return response
    }
}
