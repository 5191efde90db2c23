internal import Actions
internal import Domain
internal import HTTP
internal import HTTPServer
internal import Logging
internal import Store

extension PageHandlers {
    /// Whether a form of the caller's has their password in its field `password`; for who has none, whether they signed in minutes ago.
    ///
    /// - Throws: `RateLimitExceeded` when too many were wrong: then none is compared.
    func hasPassword(_ form: FormFields, _ request: HTTPRequest, _ caller: SignedInUser) async throws -> Bool {
        guard caller.hasPassword else { return caller.isFresh }
        return try await prove(caller.user.name, form["password"] ?? "", request, in: caller.session) != nil
    }

    /// Compares a password.
    ///
    /// Strangers are counted by their address and by the user they name. People who have signed in, in this session or once in this
    /// browser, are counted apart from them: no stranger keeps them out.
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
    ) async throws -> SignInActions.Proven? {
        let record = try await management.signIns.passwordRecord(ofUserNamed: name)
        let known =
            session.map { "session \($0)" }
            ?? record.flatMap {
                DeviceCookie.bucket(of: devices.device(request), guessing: $0.user.id, password: $0.password)
            }
        let deposits: [SharedLimits.Deposit]
        do {
            deposits = try await self.deposits(forPasswordOf: name, known: known, request)
        } catch let limit as RateLimitExceeded {
            await noteLimit(of: record?.user)
            throw limit
        }
        do {
            let user = known == nil ? nil : record?.user.id
            let caller = user.map { PasswordHasher.Requester.known($0) } ?? .anonymous(request.remoteAddress)
            let proven = try await management.signIns.prove(entered, of: record, for: caller)
            if proven != nil { await sharedLimits.refund(deposits) }
            return proven
        } catch {
            await sharedLimits.refund(deposits)
            throw error
        }
    }

    /// Whoever is refused is refused also where that cannot be written down.
    private func noteLimit(of user: User?) async {
        do {
            try await store.noteSignInLimit(of: user?.id)
        } catch {
            logger.warning("a refused sign-in is not in the audit log", ["error": logText(of: error)])
        }
    }

    private func deposits(
        forPasswordOf name: String, known: String?, _ request: HTTPRequest
    ) async throws -> [SharedLimits.Deposit] {
        // A name has no space in it, as those who are known have.
        if let known {
            return [try await sharedLimits.deposit(.wrongPasswordsOfUser, for: request, subject: known)]
        }
        let byAddress = try await sharedLimits.deposit(.wrongPasswords, for: request)
        do {
            return [byAddress, try await sharedLimits.deposit(.wrongPasswordsOfUser, for: request, subject: name)]
        } catch {
            await sharedLimits.refund([byAddress])
            throw error
        }
    }

    /// Signs somebody in whose password was right, or asks for a code where they have a second factor. Nil when the password was changed in this
    /// very moment.
    func signIn(_ proven: SignInActions.Proven, _ request: HTTPRequest, to path: String) async throws -> HTTPResponse? {
        guard try await secondFactors.record(of: proven.user.id) == nil else {
            return try askForCode(proven.user.id, bound: proven.password, request, next: path)
        }
        return try await beginSession(proven.user, by: .password(proven.password), request, to: path)
    }

    /// Begins a new session, ends the one that the browser had, sends it to `path` and knows it from then on. Nil when the proof does not hold
    /// any more, or is not enough.
    func beginSession(
        _ user: User, by proof: SignInProof, _ request: HTTPRequest, to path: String
    ) async throws -> HTTPResponse? {
        let kept: String? =
            if case .password(let kept, _) = proof { kept } else {
                try await management.signIns.passwordRecord(of: user.id)?.password
            }
        let known = kept.flatMap {
            DeviceCookie.bucket(of: devices.device(request), guessing: user.id, password: $0)
        }
        let token = try await management.signIns.begin(
            user.id, by: proof, browser: request.fields["User-Agent"] ?? "", address: request.remoteAddress,
            isNewDevice: known == nil, replacing: BrowserCookie.session.token(in: request))
        guard let token else { return nil }
        var response = HTTPResponse.seeOther(path)
        response.fields.add(
            "Set-Cookie", BrowserCookie.session.field(token, age: management.signIns.life.age, for: request))
        response.fields.add("Set-Cookie", BrowserCookie.visit.removal(for: request))
        if let kept {
            response.fields.add("Set-Cookie", try devices.field(for: user.id, password: kept, request))
        }
        return response
    }

    /// Sends a browser whose session has ended to the sign-in page, and from there to `next`.
    func signedOut(_ request: HTTPRequest, next: LocalPath? = nil) -> HTTPResponse {
        let query = next.map { "?next=\(PercentEncoding.encode($0.text))" } ?? ""
        var response = HTTPResponse.seeOther("/login\(query)")
        response.fields.add("Set-Cookie", BrowserCookie.session.removal(for: request))
        return response
    }
}
