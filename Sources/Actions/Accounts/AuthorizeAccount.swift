internal import Crypto
package import Domain
internal import FoundationEssentials
internal import HTTP
internal import Store
package import Submitters

extension AccountActions {
    /// Begins a connection that a person has to agree to in the browser.
    ///
    /// - Throws: `AuthorizationStartError`; `SubmissionError` of the service; `StoreError`; `CryptoError`.
    package func begin(
        _ submitter: any OAuthSubmitter, _ beginning: AuthorizationDraft
    ) async throws -> PendingAuthorization {
        let service = submitter.description.id
        let app = try await applications.known(for: service).keys
        let missing = submitter.missingKeys(of: app)
        guard missing.isEmpty else { throw AuthorizationStartError.missingKeys(missing) }
        let id = AuthorizationID.make()
        // 256 random bits.
        let state = Base64URL.encode(randomBytes(count: 32))
        // OAuth 1.0a brings back its own parameters and nothing else: the address itself has to say who comes.
        let query = submitter.flow(with: app) == .oauth1 ? "?state=\(state)" : ""
        let callback = Self.callback(of: service, base: beginning.base)
        let request: AuthorizationRequest
        do throws(SubmissionError) {
            request = try await submitter.authorizationRequest(
                AuthorizationStart(app: app, entered: beginning.entered, callback: callback + query, state: state),
                over: transport)
        } catch {
            throw error.whenConnecting
        }
        let begunAt = now()
        let end = begunAt.addingTimeInterval(Double(Self.timeout.components.seconds))
        let kept: JSONValue = [
            "kept": request.kept, "chosen": .object(beginning.chosen),
            "return_to": JSONValue(beginning.returnTo?.text), "user": .string(beginning.user.name),
            "claimed": .bool(beginning.isClaimed),
        ]
        let isAdded = try await store.add(
            NewAuthorization(
                id: id, stateHash: Self.hash(state), user: beginning.user.id, service: service,
                browserHash: beginning.browserHash,
                sealed: try keys.seal(kept.serialized, context: Self.context(of: id)), createdAt: begunAt,
                expiresAt: end),
            limit: Self.mostBegun)
        guard isAdded else { throw AuthorizationStartError.tooMany }
        return PendingAuthorization(id: id, url: request.url, expiresAt: end, state: Secret(state))
    }

    /// Ends a connection with what its browser brings back. A state is taken once, whatever comes of it.
    ///
    /// - Throws: `AuthorizationError`; `StoreError`; `CryptoError`. What the service says against it is in the result.
    package func end(_ callback: AuthorizationCallback) async throws -> AuthorizationResult {
        let states = callback.parameters.values("state")
        guard states.count == 1, !states[0].isEmpty else { throw AuthorizationError.unknown }
        let taken: ClaimedAuthorization
        do throws(StoreError) {
            taken = try await store.claimAuthorization(stateHash: Self.hash(states[0]), of: callback.user)
        } catch {
            switch error {
            case .notFound: throw AuthorizationError.unknown
            case .gone: throw AuthorizationError.used
            default: throw error
            }
        }
        do {
            let ended = try await end(taken, callback)
            try await note(ended.outcome, of: taken.id)
            return ended
        } catch let refusal as AuthorizationError {
            try await store.endAuthorization(taken.id, connection: nil, problem: Problem(.authorizationExpired))
            throw refusal
        }
    }

    private func end(
        _ taken: ClaimedAuthorization, _ callback: AuthorizationCallback
    ) async throws -> AuthorizationResult {
        guard taken.service == callback.service, let submitter = registry[taken.service] as? any OAuthSubmitter else {
            throw AuthorizationError.otherService
        }
        if let expected = taken.browserHash {
            guard let browser = callback.browser, isEqualInConstantTime(Self.hash(browser), expected) else {
                throw AuthorizationError.otherBrowser
            }
        }
        guard now() < taken.expiresAt else { throw AuthorizationError.expired }
        let kept = try JSONValue(parsing: keys.open(taken.sealed, context: Self.context(of: taken.id)))
        let outcome: AuthorizationResult.Outcome
        if kept["claimed"]?.bool == true, callback.hasProof {
            outcome = .arrived(try await wait(for: taken, kept, callback.parameters))
        } else {
            outcome = try await finish(taken, kept, submitter, callback.parameters)
        }
        return AuthorizationResult(
            id: taken.id, user: taken.user, userName: kept["user"]?.string ?? "", outcome: outcome,
            service: taken.service, isOfBrowser: taken.browserHash != nil, serviceName: submitter.description.name,
            returnTo: kept["return_to"]?.string.flatMap(AppRedirect.init))
    }

    /// Changes the proof for credentials, and keeps the account.
    private func finish(
        _ taken: ClaimedAuthorization, _ kept: JSONValue, _ submitter: any OAuthSubmitter, _ parameters: FormFields
    ) async throws -> AuthorizationResult.Outcome {
        do {
            let account = try await submitter.finishAuthorization(
                AuthorizationResponse(
                    app: try await applications.known(for: taken.service).keys, kept: kept["kept"] ?? .null,
                    parameters: parameters),
                over: transport)
            return .connected(
                try await keep(
                    account, of: submitter, user: taken.user, named: kept["user"]?.string ?? "",
                    chosen: kept["chosen"]?.object ?? JSONObject()))
        } catch let error as SubmissionError {
            return .refused(error.whenConnecting)
        }
    }

    private func note(_ outcome: AuthorizationResult.Outcome, of id: AuthorizationID) async throws {
        switch outcome {
        case .connected(let made): try await store.endAuthorization(id, connection: made.id, problem: nil)
        case .refused(let error): try await store.endAuthorization(id, connection: nil, problem: error.problem)
        case .arrived: break
        }
    }

    // MARK: Apps

    /// Seals what the browser has brought until the app claims it; the code for that.
    private func wait(
        for taken: ClaimedAuthorization, _ kept: JSONValue, _ parameters: FormFields
    ) async throws -> Secret<String> {
        var members = kept.object ?? JSONObject()
        members["parameters"] = .string(parameters.encoded)
        let code = Self.makeClaim()
        try await store.holdAuthorization(
            taken.id, claimHash: Self.hash(code.reveal()),
            sealed: try keys.seal(JSONValue(members).serialized, context: Self.context(of: taken.id)))
        return code
    }

    /// Ends a connection that an app of this user has begun, with the code that the browser has brought it.
    ///
    /// - Throws: `AuthorizationError`; `SubmissionError` of the service; `StoreError`; `CryptoError`.
    package func claim(_ id: AuthorizationID, code: String, of user: UserID) async throws -> AccountSummary {
        let taken: ClaimedAuthorization
        do throws(StoreError) {
            taken = try await store.claimAuthorization(id, claimHash: Self.hash(code), of: user)
        } catch {
            guard error == .notFound else { throw error }
            throw AuthorizationError.unknown
        }
        guard now() < taken.expiresAt else { throw AuthorizationError.expired }
        guard let submitter = registry[taken.service] as? any OAuthSubmitter else {
            throw AuthorizationError.otherService
        }
        let kept = try JSONValue(parsing: keys.open(taken.sealed, context: Self.context(of: id)))
        let parameters = kept["parameters"]?.string.flatMap { FormFields($0) } ?? [:]
        let outcome = try await finish(taken, kept, submitter, parameters)
        try await note(outcome, of: id)
        switch outcome {
        case .connected(let made): return made
        case .refused(let error): throw error
        case .arrived: throw AuthorizationError.unclaimed
        }
    }

    /// 16 characters that people can type: more than 90 random bits, for ten minutes.
    private static func makeClaim() -> Secret<String> {
        Secret("\(ShortCode.make())\(ShortCode.make())")
    }

    /// Where a service sends browsers back to; what the operator registers there.
    package static func callback(of service: String, base: String) -> String { "\(base)/auth/\(service)/callback" }

    static func context(of id: AuthorizationID) -> String { context(ofAuthorization: id.description) }

    static func context(ofAuthorization id: String) -> String { "authorization/\(id)" }

    static func hash(_ text: String) -> [UInt8] { SHA256Digest(of: text).bytes }
}

extension AuthorizationDraft {
    fileprivate var isClaimed: Bool {
        if case .app = beginner { return true }
        return false
    }

    fileprivate var browserHash: [UInt8]? {
        guard case .browser(let secret) = beginner else { return nil }
        return AccountActions.hash(secret.reveal())
    }
}

extension AuthorizationCallback {
    /// Whether it can become an account: without a code or a verifier the person has not agreed.
    fileprivate var hasProof: Bool {
        ["code", "oauth_verifier"].contains { !(parameters[$0] ?? "").isEmpty }
    }
}

extension AuthorizationError {
    /// For the person in the browser.
    package var sentence: String {
        switch self {
        case .unknown: "No connection was begun here with this address. Begin anew."
        case .used: "This address was used already. Begin anew if the account is not there."
        case .expired: "It took too long. Begin anew."
        case .otherBrowser: "The connection was begun in another browser. Begin anew in this one."
        case .unclaimed: "The app that began has to end it."
        case .otherService: "The answer comes from another service than the one that was asked. Begin anew."
        }
    }
}
