import Crypto
import Domain
import EventLoops
import Foundation
import HTTP
import HTTPServer
import Postgres
import Store
import TestPics
import TestTools
import Testing

@testable import Authentication

/// A cache beside a database whose snapshot is a number.
private struct CacheBench {
    let snapshot = Box(1)
    let cache: ResponseCache
    let start = Moment.now

    /// How often the snapshot was asked for.
    let asked = Box(0)

    init() {
        cache = ResponseCache { [snapshot, asked] in
            asked.update { $0 += 1 }
            return DatabaseSnapshot(String(snapshot.value))
        }
    }

    /// The text that a request gets after so many seconds; what its handler says is kept, if the cache has a place for it.
    func answer(_ request: String, _ said: String, after seconds: Int = 0, expiresAt: Date? = nil) async throws
        -> String
    {
        switch try await cache.look(for: SHA256Digest(of: request), at: start + .seconds(seconds)) {
        case .nothing: break
        case .response(let kept):
            guard case .bytes(let bytes) = kept.response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        case .place(let place):
            keep(said, at: place, expiresAt: expiresAt)
        }
        return said
    }

    func keep(_ said: String, at place: ResponseCache.Place, expiresAt: Date? = nil) {
        let user = User(id: .make(), name: "ann", isAdmin: false, createdAt: .distantPast)
        let caller = Caller(user: user, token: .make(), scopes: [.read], expiresAt: expiresAt)
        cache.keep(.text(said), for: caller, at: place)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ResponseCacheTests {
    @Test func `a response is sent again from the third request on, while nothing changes`() async throws {
        let bench = CacheBench()
        #expect(try await bench.answer("GET /1", "one") == "one")
        #expect(try await bench.answer("GET /1", "two") == "two")
        #expect(try await bench.answer("GET /1", "three") == "two")
        #expect(try await bench.answer("GET /2", "other") == "other")
        bench.snapshot.update { $0 += 1 }
        #expect(try await bench.answer("GET /1", "four") == "four")
        #expect(try await bench.answer("GET /1", "five") == "four")
    }

    @Test func `no response is sent again after five seconds, nor after the end of its token`() async throws {
        let bench = CacheBench()
        for said in ["one", "two"] { _ = try await bench.answer("GET /1", said) }
        #expect(try await bench.answer("GET /1", "three", after: 4) == "two")
        #expect(try await bench.answer("GET /1", "four", after: 5) == "four")

        for said in ["one", "two"] { _ = try await bench.answer("GET /2", said, expiresAt: .now) }
        #expect(try await bench.answer("GET /2", "three") == "three")
    }

    @Test func `a response whose handler began before a change is not sent again after it`() async throws {
        let bench = CacheBench()
        let key = SHA256Digest(of: "GET /1")
        _ = try await bench.answer("GET /1", "first")
        guard case .place(let place) = try await bench.cache.look(for: key, at: bench.start) else {
            Issue.record("There is no place.")
            return
        }
        bench.snapshot.update { $0 += 1 }
        bench.keep("old", at: place)
        #expect(try await bench.answer("GET /1", "new") == "new")
    }

    @Test func `where something always changes, no more than 64 statements of a second tell that`() async throws {
        let bench = CacheBench()
        for request in 0..<1000 where bench.cache.isUseful(at: bench.start) {
            bench.snapshot.update { $0 = request }
            _ = try await bench.answer("GET /1", "one")
        }
        #expect(bench.asked.value == 65)
        #expect(!bench.cache.isUseful(at: bench.start + .milliseconds(999)))
        #expect(bench.cache.isUseful(at: bench.start + .seconds(1)))
    }

    @Test func `what is asked for once, or every six seconds, costs no statement`() async throws {
        let bench = CacheBench()
        for number in 0..<20 {
            #expect(try await bench.answer("GET /1", "\(number)", after: 6 * number) == "\(number)")
            _ = try await bench.answer("GET /\(2 + number)", "once", after: 6 * number)
        }
        #expect(bench.asked.value == 0)
    }

    @Test func `who is not let in has no statement run`() async throws {
        try await withInProcessPics { pics in
            pics.faults.stop()
            for _ in 0..<4 {
                let response = try await pics.send(.get, "/v1/photos", isAnonymous: true)
                #expect(response.status == 401)
            }
        }
    }

    @Test func `what was said is seen at once, and a revoked token refused at once`() async throws {
        try await withInProcessPics { pics in
            let id = try #require(try await pics.posted("A boat")["id"]?.string)
            let path = "/v1/photos/\(id)"
            for round in 0..<60 {
                let isLiked = round % 2 == 0
                _ = try await pics.send(isLiked ? .put : .delete, "\(path)/like")
                for _ in 0..<4 {
                    let likes = try await pics.json(path)["likes"]
                    #expect(likes?["liked"] == .bool(isLiked) && likes?["own"] == (isLiked ? 1 : 0), "\(round)")
                }
            }
            try await pics.database.execute(.revokeTokens)
            #expect(try await pics.send(.get, path).status == 401)
        }
    }
}

extension Query where Row == Void {
    fileprivate static var revokeTokens: Self { Query("test_revoke_tokens", "UPDATE tokens SET revoked_at = now()") }
}
