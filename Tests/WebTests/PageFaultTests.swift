import Foundation
import HTTP
import TestPics
import Testing

/// The pages that people see when the database fails in the midst of a request.
@Suite(.timeLimit(.minutes(5)))
struct PageFaultTests {
    @Test(arguments: [FaultProxy.defect, .lostRequest])
    func `a page says what is wrong, whichever statement fails`(fault: FaultProxy.Fault) async throws {
        try await withInProcessPics { pics in
            let browser = try await pics.browser()
            let code = try await pics.photo("seen")
            let account = try await pics.json("/v1/connections")["items"]?[0]?["id"]?.string ?? ""
            let paths = pics.routes.compactMap { route -> String? in
                guard route.method == .get, route.isPage || route.path.hasPrefix("/u/") else { return nil }
                let path = route.path.replacing("{code}", with: code).replacing("{name}", with: "admin")
                    .replacing("/connections/{id}", with: "/connections/\(account)")
                // A stream of events ends where it cannot go on.
                return path.contains("{") || path.hasSuffix("/events") ? nil : path
            }
            #expect(paths.count > 20)
            for path in paths + ["/\(code)"] {
                try await pics.failEachStatement(of: path, fault) {
                    var reader = browser
                    return try await reader.open(path).response
                }
            }
        }
    }

    @Test(arguments: ChangingRequest.all, [FaultProxy.defect, .lostReply])
    func `a form changes something whole or not at all, and can be sent again`(
        request: ChangingRequest, fault: FaultProxy.Fault
    ) async throws {
        try await withInProcessPics { pics in
            let count = try await pics.failEachStatement(of: request, fault)
            #expect(count > 1)
        }
    }
}

extension ChangingRequest {
    fileprivate static let all = [
        form(
            "open the gallery", at: "/settings/gallery", to: "/settings/gallery/open", ["open": "yes"],
            state: "SELECT has_gallery::text AS state FROM users WHERE name = 'admin' AND $1 <> ''",
            reset: "UPDATE users SET has_gallery = false", from: "false", after: "true"),
        form(
            "set a signature", at: "/settings", to: "/settings/signature", ["signature": "Ann"],
            state: "SELECT signature AS state FROM users WHERE name = 'admin' AND $1 <> ''",
            reset: "UPDATE users SET signature = NULL", from: nil, after: "Ann"),
        form(
            "create a token", at: "/settings/tokens", to: "/settings/tokens",
            ["name": "phone", "scope": "read", "password": testPassword],
            state: "SELECT least(count(*), 1)::text AS state FROM tokens WHERE name = 'phone' AND $1 <> ''",
            reset: "DELETE FROM tokens WHERE name = 'phone'", from: "0", after: "1"),
        form(
            "invite somebody", at: "/settings/people", to: "/settings/people/invite", ["name": "", "admin": "no"],
            state: "SELECT least(count(*), 1)::text AS state FROM invitations WHERE $1 <> ''",
            reset: "DELETE FROM invitations", from: "0", after: "1"),
        like,
    ]

    /// A form of the admin. `reset` is the SQL that takes its change back.
    private static func form(
        _ name: String, at page: String, to path: String, _ fields: FormFields, state: String, reset: String,
        from before: String?, after: String
    ) -> ChangingRequest {
        ChangingRequest(
            name, state: state, from: before, to: after,
            path.hasSuffix("tokens") || path.hasSuffix("invite") ? 200 : 303, again: [],
            prepare: { pics in
                var browser = try await pics.browser()
                try await pics.change(reset)
                return try await browser.open(page).formToken ?? ""
            },
            send: { pics, token in
                var browser = try await pics.browser()
                var fields = fields
                fields.add("form_token", token)
                return try await browser.post(fields, to: path).response
            })
    }

    private static let like = ChangingRequest(
        "like a photo as a visitor",
        state:
            "SELECT least(like_count, 1)::text AS state FROM photos JOIN short_links ON photo_id = id WHERE code = $1",
        from: "0", to: "1", 303, again: [],
        prepare: { try await $0.photo("like") },
        send: { pics, code in
            var browser = Browser(pics)
            _ = try await browser.open("/\(code)")
            return try await browser.post([:], to: "/\(code)/like", with: ["Origin": pics.base]).response
        })
}
