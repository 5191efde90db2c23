import Domain
import Testing

struct AppScopesTests {
    @Test(
        arguments: [
            ("read", [.profile, .readPhotos]),
            ("read:accounts", [.profile]),
            ("read:statuses", [.readPhotos]),
            ("write", [.createPhotos, .editPhotos, .deletePhotos, .likePhotos, .editProfile]),
            ("write:media", [.uploadFiles]),
            ("write:favourites", [.likePhotos]),
            ("create", [.createPhotos]),
            ("draft", [.draftPhotos]),
            ("update delete", [.editPhotos, .deletePhotos]),
            ("profile email", [.profile]),
            ("follow push read:lists write:mutes", []),
            ("", []),
        ] as [(String, Set<Scope>)])
    func `a word stands for the rights that Pics has for it`(words: String, rights: Set<Scope>) throws {
        #expect(try #require(AppScopes(words)).rights == rights)
    }

    @Test func `no word reaches accounts, tokens, originals or metrics`() throws {
        let all = try #require(
            AppScopes("read write follow push profile create draft media update delete undelete email"))

        for scope in Scope.ofTokens {
            #expect(!all.rights.contains { $0.includes(scope) }, "\(scope)")
        }
    }

    @Test(arguments: [
        "admin", "admin:read", "admin:write:accounts", "crypto", "metrics", "read:admin", "write:admin", "photos:read",
        "read:", ":read", "read:blocks:x", "READ", "read,write", "read\twrite", "read\n", "ｒｅａｄ", "re\u{301}ad",
        "read:statuses:all", "offline_access", "openid",
    ])
    func `a word that nobody knows is refused`(word: String) {
        #expect(AppScopes(word) == nil)
        #expect(AppScopes("read \(word)") == nil)
        #expect(AppScopes(["read", word]) == nil)
        #expect(AppScopes(knownIn: "create \(word)").words.allSatisfy { ["create", "read"].contains($0) })
    }

    @Test func `each word is kept once, as it was written and in its order`() {
        #expect(AppScopes("write  read write read:lists ")?.description == "write read read:lists")
    }

    @Test func `ten kilobytes of scopes are refused, or read to a bounded end`() {
        let long = String(repeating: "read ", count: 2000)

        #expect(AppScopes(long) == nil)
        #expect(AppScopes(knownIn: long).words == ["read"])
        #expect(AppScopes(knownIn: String(repeating: "é", count: 10_000)).isEmpty)
    }

    @Test(arguments: [
        ("read:statuses", "read"), ("write:media", "write read"), ("read:blocks", "follow"), ("write:mutes", "follow"),
        ("read", "read"), ("", "read"), ("", ""), ("create", "update create"),
    ])
    func `a word is within itself and within its group`(inner: String, outer: String) throws {
        #expect(try #require(AppScopes(inner)).isWithin(try #require(AppScopes(outer))))
    }

    @Test(arguments: [
        ("read", "read:statuses"), ("write", "read"), ("write:media", "read"), ("create", "write"),
        ("read:statuses", "follow"), ("write:statuses", "follow"), ("read", ""), ("profile", "read:accounts"),
        ("update", "create"),
    ])
    func `a word is not within another`(inner: String, outer: String) throws {
        #expect(try #require(AppScopes(inner)).isWithin(try #require(AppScopes(outer))) == false)
    }
}
