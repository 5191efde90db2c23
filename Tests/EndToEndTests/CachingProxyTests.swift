import Foundation
import HTTP
import Postgres
import TestPics
import TestSupport
import TestTools
import Testing

/// Pictures that are fetched through a cache, by the addresses that `media_url` gives them.
@Suite(.enabled(if: CachingProxy.isInstalled, "nginx and libfaketime are not installed"), .timeLimit(.minutes(10)))
struct CachingProxyTests {
    private func withProxy(_ body: (_ pics: Pics, _ proxy: CachingProxy) async throws -> Void) async throws {
        try await withTestDatabase(migrated: true) { database in
            try await withFolder { folder in
                let port = try #require(try freePorts(1).first)
                let pics = try await Pics.start(
                    in: folder, database: database.settings.connection,
                    settings: ["PICS_MEDIA_URL": "http://127.0.0.1:\(port)"])
                let place = "\(folder)/proxy"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
                let proxy = try CachingProxy(at: port, before: pics.base, in: place)
                await until {
                    do {
                        return try await pics.send(.get, "\(proxy.base)/livez", isAnonymous: true).status == .ok
                    } catch { return false }
                }
                try await body(pics, proxy)
                await proxy.stop()
                #expect(await pics.stop() == 0)
            }
        }
    }

    /// A photo's id, and the address of its small picture, as its owner is told it.
    private func posted(_ pics: Pics, _ number: Int, _ visibility: String = "public") async throws -> (
        id: String, address: String
    ) {
        let response = try await pics.post(CameraPhoto.jpeg(number), caption: "Photo", ["visibility": visibility])
        let photo = try JSONValue(parsing: response.body)
        let id = try #require(photo["id"]?.string)
        let pictures = try JSONValue(parsing: try await pics.ask(.get, "/v1/photos/\(id)").body)["renditions"]?.array
        return (id, try #require(pictures?.first { $0["name"] == "small" }?["url"]?.string))
    }

    @Test func `a photo made private or deleted is gone from a cache within a minute`() async throws {
        try await withProxy { pics, proxy in
            func get(_ address: String) async throws -> (status: Int, cache: String?) {
                let response = try await pics.send(.get, address, isAnonymous: true)
                return (response.status.code, response.fields["X-Cache"])
            }
            let (hidden, deleted, kept) = (
                try await posted(pics, 1), try await posted(pics, 2), try await posted(pics, 3)
            )
            for photo in [hidden, deleted, kept] {
                #expect(photo.address.hasPrefix("\(proxy.base)/m/"))
                #expect(try await get(photo.address) == (200, "MISS"))
                #expect(try await get(photo.address) == (200, "HIT"))
            }

            let change = try await pics.call(
                .patch, "/v1/photos/\(hidden.id)", ["visibility": "private"], with: ["If-Match": "*"])
            #expect(change.status == 200)
            #expect(try await pics.ask(.delete, "/v1/photos/\(deleted.id)").status == .noContent)

            for (photo, gone) in [(hidden, 404), (deleted, 410)] {
                #expect(try await get(photo.address.replacing(proxy.base, with: pics.base)) == (gone, nil))
            }
            try proxy.advance(by: 61)
            for (photo, gone) in [(hidden, 404), (deleted, 410)] {
                #expect(try await get(photo.address) == (gone, "EXPIRED"))
            }
            #expect(try await get(kept.address) == (200, "REVALIDATED"))
        }
    }

    @Test func `a private photo's pictures are at no address of a cache, and never kept by one`() async throws {
        try await withProxy { pics, proxy in
            let photo = try await posted(pics, 1, "private")
            #expect(photo.address.hasPrefix("\(pics.base)/m/"))
            let link = try await pics.call(.post, "/v1/photos/\(photo.id)/links", ["size": "small"]).json
            let address = try #require(link["url"]?.string)
            #expect(address.hasPrefix("\(pics.base)/m/"))

            // Also one that is asked for there, by whom it was handed over to.
            let throughProxy = address.replacing(pics.base, with: proxy.base)
            for _ in 0..<2 {
                let response = try await pics.send(.get, throughProxy, isAnonymous: true)
                #expect(response.status == .ok && response.fields["X-Cache"] == "MISS")
            }
        }
    }

    @Test func `pages show pictures from the cache's address, and let no other origin in`() async throws {
        try await withProxy { pics, proxy in
            let photo = try await posted(pics, 1)
            let code = try #require(photo.address.split(separator: "/").dropLast().last)

            let page = try await pics.send(.get, "/\(code)", accept: "text/html", isAnonymous: true)

            let html = String(decoding: page.body, as: UTF8.self)
            #expect(html.contains("<img class=\"u-photo\" src=\"\(proxy.base)/m/\(code)/"))
            #expect(!html.contains("\"/m/\(code)/"))
            let policy = page.fields["Content-Security-Policy"]
            #expect(policy?.contains("img-src 'self' \(proxy.base) data:; media-src 'self' \(proxy.base);") == true)
        }
    }
}
