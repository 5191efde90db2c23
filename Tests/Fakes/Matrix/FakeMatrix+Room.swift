internal import Foundation
internal import HTTP
internal import System

// The room and its events.
extension FakeMatrix {
    var roomRoutes: [FakeRoute] {
        let rooms = "/_matrix/client/v3/rooms/{room}"
        let path = "/_matrix/client/v1/rooms/{room}/relations/{event}"
        return [
            FakeRoute("GET /_matrix/client/v3/directory/room/{alias}") { [self] _, parameters in
                guard parameters["alias"] == Self.alias else { return error(404, "M_NOT_FOUND") }
                return .json(["room_id": .string(Self.room), "servers": [.string(Self.server)]])
            },
            authorized("GET /_matrix/client/v3/joined_rooms") { [self] _, _, _ in
                let rooms: [JSONValue] = state.withLock { $0.isJoined } ? [.string(Self.room)] : []
                return .json(["joined_rooms": JSONValue(rooms)])
            },
            authorized("POST /_matrix/client/v3/join/{room}") { [self] request, parameters, _ in
                guard [Self.room, Self.alias].contains(parameters["room"]) else { return error(404, "M_UNKNOWN") }
                guard options.joinRule == "public" else { return error(403, "M_FORBIDDEN") }
                guard request.json != nil else { return error(400, "M_NOT_JSON") }
                state.withLock { $0.isJoined = true }
                return .json(["room_id": .string(Self.room)])
            },
            member("GET \(rooms)/state/{type}") { [self] _, parameters, _ in roomState(parameters["type"]) },
            member("GET \(rooms)/joined_members") { [self] _, _, _ in
                let people = Set(
                    conversation.state.withLock { $0.said.map(\.person) + $0.likes.values.flatMap(\.self) })
                var joined: JSONObject = [Self.user: ["display_name": "Alice", "avatar_url": .null]]
                for person in people { joined["@\(person):far.test"] = ["display_name": .string(person.capitalized)] }
                return .json(["joined": .object(joined)])
            },
            member("PUT \(rooms)/send/{type}/{transaction}", send),
            member("PUT \(rooms)/redact/{event}/{transaction}", redact),
            member("GET \(rooms)/event/{event}") { [self] _, parameters, device in
                guard let event = timeline(for: device).first(where: { $0["event_id"]?.string == parameters["event"] })
                else { return error(404, "M_NOT_FOUND") }
                return .json(event)
            },
            member("GET \(rooms)/messages", messages),
            member("GET \(path)", relations),
            member("GET \(path)/{relation}/{type}", relations),
        ]
    }

    /// A call for members of the room.
    private func member(
        _ name: String, _ response: @escaping @Sendable (FakeRequest, FakeParameters, _ device: String) -> FakeAnswer
    ) -> FakeRoute {
        authorized(name) { [self] request, parameters, device in
            guard parameters["room"] == Self.room, state.withLock({ $0.isJoined }) else {
                return error(403, "M_FORBIDDEN")
            }
            return response(request, parameters, device)
        }
    }

    private func roomState(_ type: String) -> FakeAnswer {
        let isEncrypted = state.withLock { $0.isEncrypted }
        switch type {
        case "m.room.encryption" where isEncrypted: return .json(["algorithm": "m.megolm.v1.aes-sha2"])
        case "m.room.power_levels":
            return .json([
                "events": ["m.room.message": JSONValue(options.messageLevel)], "users": ["@ann:far.test": 100],
                "users_default": 0,
            ])
        case "m.room.create": return .json(["room_version": .string(options.roomVersion)])
        case "m.room.canonical_alias": return .json(["alias": .string(Self.alias)])
        case "m.room.join_rules": return .json(["join_rule": .string(options.joinRule)])
        case "m.room.history_visibility": return .json(["history_visibility": .string(options.history)])
        default: return error(404, "M_NOT_FOUND")
        }
    }

    // MARK: Sending

    private func send(_ request: FakeRequest, _ parameters: FakeParameters, _ device: String) -> FakeAnswer {
        guard let content = request.json?.object else { return error(400, "M_NOT_JSON") }
        guard request.body.count < Self.maximumEventBytes - 1000 else { return error(413, "M_TOO_LARGE") }
        guard Self.isCanonical(.object(content)) else { return error(400, "M_BAD_JSON") }
        guard options.messageLevel <= 0 else { return error(403, "M_FORBIDDEN") }
        return once(request, parameters, device) { state in
            let relation = content["m.relates_to"]
            let target = state.events.first { $0.id == relation?["event_id"]?.string }
            switch relation?["rel_type"]?.string {
            case "m.thread" where target?.relation?["rel_type"] != nil: return error(400, "M_UNKNOWN")
            case "m.annotation":
                let same = state.events.contains { event in
                    event.type == parameters["type"] && !event.isRedacted
                        && event.relation?["event_id"] == relation?["event_id"]
                        && event.relation?["key"] == relation?["key"]
                }
                if same { return error(400, "M_DUPLICATE_ANNOTATION") }
            default: break
            }
            let id = "$event\(state.next())"
            state.events.append(
                Event(
                    id: id, type: parameters["type"], content: content, at: now(), device: device,
                    transaction: parameters["transaction"]))
            return .json(["event_id": .string(id)])
        }
    }

    /// Numbers with a fraction are no part of events ("Canonical JSON").
    private static func isCanonical(_ value: JSONValue) -> Bool {
        switch value {
        case .double: false
        case .array(let values): values.allSatisfy(isCanonical)
        case .object(let object): object.allSatisfy { isCanonical($0.value) }
        default: true
        }
    }

    private func redact(_ request: FakeRequest, _ parameters: FakeParameters, _ device: String) -> FakeAnswer {
        guard request.json != nil else { return error(400, "M_NOT_JSON") }
        return once(request, parameters, device) { state in
            if let index = state.events.firstIndex(where: { $0.id == parameters["event"] }) {
                (state.events[index].content, state.events[index].isRedacted) = ([:], true)
            }
            return .json(["event_id": .string("$redaction\(state.next())")])
        }
    }

    /// A request of the same device with the same path is answered as the first was, and not acted on.
    private func once(
        _ request: FakeRequest, _ parameters: FakeParameters, _ device: String,
        _ act: (inout State) -> FakeAnswer
    ) -> FakeAnswer {
        state.withLock { state in
            let key = "\(device) \(request.path)"
            if let known = state.transactions[key], now() < known.at + options.transactionLife {
                return .json(["event_id": .string(known.event)])
            }
            let answer = act(&state)
            if answer.status.isSuccess, let id = (try? JSONValue(parsing: answer.body))?["event_id"]?.string {
                state.transactions[key] = (id, now())
            }
            return answer
        }
    }

    // MARK: Reading

    private func messages(_ request: FakeRequest, _ parameters: FakeParameters, _ device: String) -> FakeAnswer {
        let query = FormFields(request.query) ?? [:]
        guard query["dir"] == "b" else { return error(400, "M_MISSING_PARAM") }
        let filter = query["filter"].flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        let (types, senders) = (filter?["types"]?.array, filter?["senders"]?.array)
        let latest = now() - options.listDelay
        let all = timeline(for: device).reversed().filter { event in
            types?.contains(event["type"] ?? .null) ?? true && senders?.contains(event["sender"] ?? .null) ?? true
                && (event["sender"]?.string != Self.user
                    || (event["origin_server_ts"]?.double ?? 0) / 1000 <= latest.timeIntervalSince1970)
        }
        return page(all, query, named: "end", mark: "t")
    }

    private func relations(_ request: FakeRequest, _ parameters: FakeParameters, _ device: String) -> FakeAnswer {
        let events = timeline(for: device)
        guard events.contains(where: { $0["event_id"]?.string == parameters["event"] }) else {
            return error(404, "M_NOT_FOUND")
        }
        let found = events.reversed().filter { event in
            let relation = event["content"]?["m.relates_to"]
            let kind = parameters["relation"]
            return relation?["event_id"]?.string == parameters["event"] && relation?["rel_type"] != nil
                && (kind.isEmpty
                    || relation?["rel_type"]?.string == kind && event["type"]?.string == parameters["type"])
        }
        return page(found, FormFields(request.query) ?? [:], named: "next_batch", mark: "r")
    }

    private func page(_ all: [JSONValue], _ query: FormFields, named name: String, mark: String) -> FakeAnswer {
        let limit = min(query["limit"].flatMap { Int($0) } ?? 10, 100)
        let from = query["from"] ?? "\(mark)0"
        guard from.hasPrefix(mark), let start = Int(from.dropFirst()) else { return error(400, "M_UNKNOWN") }
        var json: JSONObject = ["chunk": JSONValue(Array(all.dropFirst(start).prefix(limit))), "start": .string(from)]
        if start + limit < all.count { json[name] = .string("\(mark)\(start + limit)") }
        return .json(.object(json))
    }

    /// All events, oldest first, as a device is told them.
    private func timeline(for device: String) -> [JSONValue] {
        let own = state.withLock { $0.events }
        let (said, likes) = conversation.state.withLock { ($0.said, $0.likes) }
        let start = own.first?.at ?? now()
        var all = own.map { event in
            var unsigned: JSONObject = [:]
            if event.device == device { unsigned["transaction_id"] = .string(event.transaction) }
            return (event.at, Self.event(event.id, event.type, Self.user, event.at, event.content, unsigned))
        }
        for said in said {
            // The room's clock goes on from its first event.
            let at = start + said.at.timeIntervalSince1970 - 1_790_000_000
            all.append((at, event(said, at: at, own: Set(own.map(\.id)))))
        }
        for (post, people) in likes {
            // A post is known by all its events.
            let target = post.split(separator: ",").first.map(String.init) ?? post
            for (index, person) in people.enumerated() {
                let relation: JSONValue = ["rel_type": "m.annotation", "event_id": .string(target), "key": "👍"]
                let at = start + 1
                all.append(
                    (
                        at,
                        Self.event(
                            "$like\(index)", "m.reaction", "@\(person):far.test", at, ["m.relates_to": relation], [:])
                    ))
            }
        }
        return all.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func event(_ said: FakeConversation.Said, at: Date, own: Set<String>) -> JSONValue {
        let target = said.parent?.split(separator: ",").first.map(String.init) ?? ""
        var relation: JSONObject = ["m.in_reply_to": ["event_id": .string(target)]]
        if options.answersInThreads, own.contains(target) {
            relation["rel_type"] = "m.thread"
            relation["event_id"] = .string(target)
            relation["is_falling_back"] = true
        }
        let sender = "@\(said.person):far.test"
        var unsigned: JSONObject = [:]
        if let editedAt = said.editedAt {
            let change: JSONObject = [
                "msgtype": "m.text", "body": .string("* \(said.text)"),
                "m.new_content": ["msgtype": "m.text", "body": .string(said.text)],
                "m.relates_to": ["rel_type": "m.replace", "event_id": .string(said.id)],
            ]
            let moment = at + editedAt.timeIntervalSince(said.at)
            unsigned["m.relations"] = [
                "m.replace": Self.event("\(said.id)-changed", "m.room.message", sender, moment, change, [:])
            ]
        }
        return Self.event(
            said.id, "m.room.message", sender, at,
            [
                "msgtype": "m.text", "body": .string(said.editedAt == nil ? said.text : "as it was"),
                "m.relates_to": .object(relation),
            ], unsigned)
    }

    private static func event(
        _ id: String, _ type: String, _ sender: String, _ at: Date, _ content: JSONObject, _ unsigned: JSONObject
    ) -> JSONValue {
        [
            "event_id": .string(id), "type": .string(type), "sender": .string(sender),
            "origin_server_ts": JSONValue(Int(at.timeIntervalSince1970 * 1000)), "room_id": .string(Self.room),
            "content": .object(content), "unsigned": .object(unsigned),
        ]
    }
}
