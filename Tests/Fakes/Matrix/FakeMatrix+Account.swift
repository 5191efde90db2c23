internal import Crypto
internal import Foundation
internal import HTTP
internal import System

// Who it is, and the files.
extension FakeMatrix {
    static func hash(_ bytes: [UInt8]) -> String { SHA256Digest(of: bytes).hex }

    var accountRoutes: [FakeRoute] {
        [
            FakeRoute("GET /_matrix/client/versions") { _, _ in .json(["versions": ["v1.11", "v1.15"]]) },
            FakeRoute("GET /_matrix/client/v3/login") { [self] _, _ in
                let flows: [JSONValue] = [
                    ["type": .string(options.takesPasswords ? "m.login.password" : "m.login.sso")]
                ]
                return .json(["flows": JSONValue(flows)])
            },
            FakeRoute("POST /_matrix/client/v3/login", logIn),
            FakeRoute("POST /_matrix/client/v3/refresh", refresh),
            authorized("POST /_matrix/client/v3/logout") { [self] _, _, device in
                state.withLock { end(device, &$0) }
                return .json([:])
            },
            authorized("GET /_matrix/client/v3/account/whoami") { _, _, device in
                .json(["user_id": .string(Self.user), "device_id": .string(device), "is_guest": false])
            },
        ]
    }

    private func logIn(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard options.takesPasswords, let json = request.json, json["type"] == "m.login.password",
            json["identifier"]?["type"] == "m.id.user"
        else { return error(400, "M_UNKNOWN") }
        guard ["alice", Self.user].contains(json["identifier"]?["user"]?.string),
            json["password"]?.string == Self.password
        else { return error(403, "M_FORBIDDEN") }
        return state.withLock { state in
            let device = json["device_id"]?.string ?? "DEVICE\(state.next())"
            // "If the client sets the device_id, the server will invalidate any access and refresh tokens previously assigned."
            endTokens(of: device, &state)
            return .json(
                .object(
                    session(of: device, refreshes: json["refresh_token"]?.bool == true, &state).merged([
                        "user_id": .string(Self.user), "device_id": .string(device),
                    ])))
        }
    }

    private func refresh(_ request: FakeRequest, _ parameters: FakeParameters) -> FakeAnswer {
        guard let token = request.json?["refresh_token"]?.string else { return error(400, "M_MISSING_PARAM") }
        return state.withLock { state in
            guard let known = state.refresh[token] else {
                return error(401, "M_UNKNOWN_TOKEN", ["soft_logout": true])
            }
            let made = session(of: known.device, refreshes: true, &state)
            // It is good until the new token is used.
            state.refresh[token] = (known.device, made["access_token"]?.string)
            return .json(.object(made))
        }
    }

    private func session(of device: String, refreshes: Bool, _ state: inout State) -> JSONObject {
        let number = state.next()
        let access = "syt_\(number)"
        guard refreshes, let life = options.tokenLife else {
            state.sessions[access] = Session(device: device, end: nil)
            return ["access_token": .string(access)]
        }
        let refresh = "syr_\(number)"
        state.sessions[access] = Session(device: device, end: now() + life)
        state.refresh[refresh] = (device, nil)
        return [
            "access_token": .string(access), "refresh_token": .string(refresh),
            "expires_in_ms": JSONValue(Int(life * 1000)),
        ]
    }

    private func endTokens(of device: String, _ state: inout State) {
        state.sessions = state.sessions.filter { $0.value.device != device }
        state.refresh = state.refresh.filter { $0.value.device != device }
    }

    /// The device is gone, and what was known of its requests.
    private func end(_ device: String, _ state: inout State) {
        endTokens(of: device, &state)
        state.transactions = state.transactions.filter { !$0.key.hasPrefix("\(device) ") }
    }

    // MARK: Files

    var mediaRoutes: [FakeRoute] {
        [
            authorized("GET /_matrix/client/v1/media/config") { [self] _, _, _ in
                options.hasMediaConfig ? limits : error(404, "M_UNRECOGNIZED")
            },
            authorized("GET /_matrix/media/v3/config") { [self] _, _, _ in limits },
            authorized("POST /_matrix/media/v1/create") { [self] _, _, _ in
                guard options.createsMedia else { return error(404, "M_UNRECOGNIZED") }
                return state.withLock { state in
                    let waiting = state.media.values.filter { $0.bytes == nil && now() < $0.expiresAt }
                    if waiting.count >= options.mostPlaces, let first = waiting.map(\.expiresAt).min() {
                        var answer = error(429, "M_LIMIT_EXCEEDED")
                        answer.fields.set("Retry-After", String(Int(first.timeIntervalSince(now()))))
                        return answer
                    }
                    let (id, end) = ("place\(state.next())", now() + Self.placeLife)
                    state.media[id] = Media(expiresAt: end)
                    return .json([
                        "content_uri": .string("mxc://\(Self.server)/\(id)"),
                        "unused_expires_at": JSONValue(Int(end.timeIntervalSince1970 * 1000)),
                    ])
                }
            },
            authorized("PUT /_matrix/media/v3/upload/{server}/{id}") { [self] request, parameters, _ in
                if let refusal = refusal(of: request) { return refusal }
                return state.withLock { state in
                    guard parameters["server"] == Self.server, var media = state.media[parameters["id"]] else {
                        return error(404, "M_NOT_FOUND")
                    }
                    guard media.bytes == nil else { return error(409, "M_CANNOT_OVERWRITE_MEDIA") }
                    guard now() < media.expiresAt else { return error(404, "M_NOT_FOUND") }
                    (media.bytes, media.mediaType) = (request.body, request.contentType ?? "application/octet-stream")
                    state.media[parameters["id"]] = media
                    return .json([:])
                }
            },
            authorized("POST /_matrix/media/v3/upload") { [self] request, _, _ in
                if let refusal = refusal(of: request) { return refusal }
                return state.withLock { state in
                    let id = "file\(state.next())"
                    state.media[id] = Media(
                        bytes: request.body, mediaType: request.contentType ?? "application/octet-stream",
                        expiresAt: .distantFuture)
                    return .json(["content_uri": .string("mxc://\(Self.server)/\(id)")])
                }
            },
        ]
    }

    private var limits: FakeAnswer {
        .json(options.uploadLimit.map { ["m.upload.size": JSONValue($0)] } ?? [:])
    }

    private func refusal(of request: FakeRequest) -> FakeAnswer? {
        if request.body.isEmpty { return error(400, "M_UNKNOWN") }
        return request.body.count > options.uploadLimit ?? .max ? error(413, "M_TOO_LARGE") : nil
    }
}

extension JSONObject {
    /// These members and others.
    func merged(_ others: JSONObject) -> JSONObject {
        var all = self
        for member in others { all[member.name] = member.value }
        return all
    }
}
