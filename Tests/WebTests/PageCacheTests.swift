import Domain
import HTTP
import HTTPServer
import Store
import Testing

@testable import Web

struct PageCacheTests {
    @Test func `while the database is away the last page is given out, and nothing is made up`() async throws {
        let code = try #require(ShortCode("Ab3dE9xZ"))
        let cache = PageCache(age: .zero)
        let key = PageCache.Key(code: code, language: .english)
        _ = try await cache.page(key) { (HTTPResponse.text("page"), 4) }

        let last = try await cache.page(key) { throw StoreError.unavailable }

        #expect(last.status == .ok)
        await #expect(throws: StoreError.gone) { try await cache.page(key) { throw StoreError.gone } }
        let other = PageCache.Key(code: code, language: .japanese)
        await #expect(throws: StoreError.unavailable) { try await cache.page(other) { throw StoreError.unavailable } }
    }

    @Test func `a page that is older than a minute is not given out while the database is away`() async throws {
        let cache = PageCache(age: .zero, longestAge: .zero)
        let key = PageCache.Key(code: try #require(ShortCode("Ab3dE9xZ")), language: .english)
        _ = try await cache.page(key) { (HTTPResponse.text("page"), 4) }

        await #expect(throws: StoreError.unavailable) { try await cache.page(key) { throw StoreError.unavailable } }
    }

    @Test func `a page is at hand for as long as it is kept, until it is forgotten`() async throws {
        let code = try #require(ShortCode("Ab3dE9xZ"))
        let key = PageCache.Key(code: code, language: .english)
        let (long, short) = (PageCache(age: .seconds(3600)), PageCache(age: .zero))
        for cache in [long, short] {
            #expect(cache.kept(key)?.status == nil)
            _ = try await cache.page(key) { (HTTPResponse.text("page"), 4) }
        }

        #expect(long.kept(key)?.status == .ok)
        #expect(short.kept(key)?.status == nil)
        long.remove(code)
        #expect(long.kept(key)?.status == nil)
    }

    @Test func `a page that was forgotten is made again`() async throws {
        let code = try #require(ShortCode("Ab3dE9xZ"))
        let cache = PageCache(age: .seconds(3600))
        let key = PageCache.Key(code: code, language: .english)
        _ = try await cache.page(key) { (HTTPResponse.text("old"), 3) }

        cache.remove(code)
        let new = try await cache.page(key) { (HTTPResponse(.noContent), 0) }

        #expect(new.status == .noContent)
    }

    @Test func `a page that was being made while it was forgotten is not kept`() async throws {
        let code = try #require(ShortCode("Ab3dE9xZ"))
        let cache = PageCache(age: .seconds(3600))
        let key = PageCache.Key(code: code, language: .english)

        // A page read before the change comes after it.
        let old = try await cache.page(key) {
            cache.remove(code)
            return (HTTPResponse.text("old"), 3)
        }
        let new = try await cache.page(key) { (HTTPResponse(.noContent), 0) }

        #expect(old.status == .ok && new.status == .noContent)
    }

    @Test func `a page that is gone is not given out when the database goes away after it`() async throws {
        let code = try #require(ShortCode("Ab3dE9xZ"))
        let cache = PageCache(age: .zero)
        let key = PageCache.Key(code: code, language: .english)
        _ = try await cache.page(key) { (HTTPResponse.text("page"), 4) }
        await #expect(throws: StoreError.gone) { try await cache.page(key) { throw StoreError.gone } }

        await #expect(throws: StoreError.unavailable) { try await cache.page(key) { throw StoreError.unavailable } }
    }
}
