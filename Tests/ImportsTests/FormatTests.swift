import Domain
import Foundation
import HTTP
import Testing

@testable import Imports

/// The forms of the other sources.
struct FormatTests {
    @Test func `an export of Pics has posts of several photos, recipes and what they were seen by`() throws {
        let planned = try Planned([
            (
                "photos.json",
                [UInt8](
                    text: """
                        [
                        {"id":"b","short_url":"x","file":"photos/2.jpg","part_of":"a","alt_text":"Two","visibility":"unlisted"},
                        {"id":"a","short_url":"x","file":"photos/1.jpg","taken_at":"2026-11-20T10:11:12.000+01:00",
                         "created_at":"2026-11-21T00:00:00.000Z","caption":"One \\" ] #tag","alt_text":"First","has_picture":true,
                         "album":"Trip","part_of":null,"visibility":"public","location":{"latitude":59.5,"longitude":18.0},
                         "recipe":{"rotate":90},"likes":{"count":5,"own":2,"visitors":1,"networks":3}},
                        {"id":"c","file":null,"short_url":"https://p.example/abc"},
                        {"id":"d","has_picture":false,"file":null}, {broken
                        ]
                        """.replacing(", {broken", with: ""))
            ),
            ("likes-given.json", [UInt8](text: "[]")), ("photos/1.jpg", [1]), ("photos/2.jpg", [2]),
        ])

        #expect(planned.source == .pics && planned.faults == ["https://p.example/abc"] && planned.posts.count == 1)
        let post = try #require(planned.posts.first)
        #expect(post.files == ["photos/1.jpg", "photos/2.jpg"])
        #expect(post.item.identity == "a" && post.item.caption == "One \" ] #tag" && post.item.album == "Trip")
        #expect(post.item.photos.map(\.altText) == ["First", "Two"] && post.item.visibility == .public)
        #expect(post.item.photos[0].taken == Timestamp("2026-11-20T09:11:12Z").map { TakenTime($0.date, offset: 60) })
        #expect(post.item.publishedAt == Timestamp("2026-11-21T00:00:00Z")?.date && post.item.likes == 3)
        #expect(post.item.photos[0].recipe == ["rotate": 90] && post.item.position != nil)
    }

    @Test func `an outbox has notes with files, and whoever could see them`() throws {
        func note(_ id: Int, _ to: String, _ cc: String, _ attachments: String, _ more: String = "") -> String {
            """
            {"type":"Create","to":[],"object":{"id":"https://m.example/\(id)","type":"Note","published":"2020-01-0\(id)T10:00:00Z",
             "to":\(to),"cc":\(cc),"content":"<p>Hello &amp; <a href=\\"x\\">#<span>sea</span></a></p><p>Two</p>","attachment":[\(attachments)]\(more)}}
            """
        }
        let everybody = #"["https://www.w3.org/ns/activitystreams#Public"]"#
        func file(_ name: String, _ alt: String) -> String {
            #"{"type":"Document","mediaType":"image/jpeg","url":"/media_attachments/files/\#(name)","name":\#(alt)}"#
        }
        let outbox = """
            {"id":"outbox.json","type":"OrderedCollection","totalItems":5,"orderedItems":[
            \(note(1, everybody, "[]", file("1/a.jpg", #""A dog""#) + "," + file("2/b.png", "null"), #","sensitive":true,"summary":"Dogs","contentMap":{"de":"x"}"#)),
            \(note(2, #"["x"]"#, everybody, file("1/../3/c.jpg", "null"))),
            \(note(3, #"["https://m.example/followers"]"#, "[]", file("4/film.mp4", "null") + "," + file("5/e.jpg", #""E""#))),
            \(note(4, everybody, "[]", file("9/gone.jpg", "null"))), \(note(5, everybody, "[]", "")),
            {"type":"Announce","object":"https://other.example/1"}]}
            """
        let planned = try Planned(
            ["1/a.jpg", "2/b.png", "3/c.jpg", "4/film.mp4", "5/e.jpg"].map { ("media_attachments/files/\($0)", [1]) }
                + [("actor.json", [UInt8](text: "{}")), ("outbox.json", [UInt8](text: outbox))])

        #expect(planned.source == .mastodon && planned.faults == ["/media_attachments/files/9/gone.jpg"])
        #expect(planned.posts.count == 4)
        let first = try #require(planned.post("media_attachments/files/1/a.jpg"))
        #expect(first.caption == "Hello & #sea\n\nTwo" && first.identity == "https://m.example/1")
        #expect(first.photos.map(\.altText) == ["A dog", ""] && first.visibility == .public)
        #expect(first.labels == ContentLabels(isSensitive: true, warning: "Dogs", language: "de"))
        #expect(planned.post("media_attachments/files/3/c.jpg")?.visibility == .unlisted)
        let film = planned.post("media_attachments/files/4/film.mp4")
        let photo = planned.post("media_attachments/files/5/e.jpg")
        #expect(film?.visibility == .private && film?.identity == "https://m.example/3")
        #expect(photo?.identity == "https://m.example/3 1" && photo?.photos.map(\.altText) == ["E"])
    }

    @Test func `statuses of Pixelfed find their files by the end of their address`() throws {
        let planned = try Planned([
            (
                "pixelfed-statuses.json",
                [UInt8](
                    text: """
                        [{"id":"7","uri":"https://p.example/p/a/7","created_at":"2022-05-06T07:08:09.000000Z","content":"<p>x</p>",
                         "content_text":"Plain #sky","visibility":"public","sensitive":false,"spoiler_text":"","favourites_count":12,
                         "reblog":null,"media_attachments":[{"url":"https://cdn.example/m/_v2/1/abc.jpg?v=1","description":"Sky"}]},
                        {"id":"8","visibility":"direct","media_attachments":[{"url":"https://cdn.example/none.jpg"}]}]
                        """)
            ), ("files/abc.jpg", [1]),
        ])

        let post = try #require(planned.post("files/abc.jpg"))
        #expect(planned.source == .pixelfed && planned.faults == ["https://cdn.example/none.jpg"])
        #expect(post.caption == "Plain #sky" && post.photos[0].altText == "Sky" && post.likes == 12)
        #expect(post.visibility == .public && post.publishedAt == Timestamp("2022-05-06T07:08:09Z")?.date)
    }

    @Test func `Instagram's words are mended, and everything is private`() throws {
        let root = "instagram-alice-2025/"
        let posts = """
            [{"media":[{"uri":"media/posts/202301/1.jpg","creation_timestamp":1672531200,"title":"Caf\\u00c3\\u00a9 \\u00f0\\u009f\\u0090\\u00b6 #dog",
              "media_metadata":{"photo_metadata":{"exif_data":[{"latitude":59.5,"longitude":18.0}]}}}]},
             {"title":"Two","creation_timestamp":1672617600,"media":[{"uri":"media/posts/202301/2.jpg","title":""},
              {"uri":"media/posts/202301/3.mp4"},{"uri":"media/posts/202301/Fq_17"},{"uri":"media/posts/202301/4.webp"},{"uri":"media/posts/202301/gone.jpg"}]}]
            """
        let planned = try Planned([
            (root + "your_instagram_activity/media/posts_1.json", [UInt8](text: posts)),
            (
                root + "your_instagram_activity/media/stories.json",
                [UInt8](
                    text: #"{"ig_stories":[{"uri":"media/stories/5.jpg","creation_timestamp":1600000000,"title":""}]}"#)
            ),
            (root + "media/posts/202301/1.jpg", [1]), (root + "media/posts/202301/2.jpg", [2]),
            (root + "media/posts/202301/3.mp4", [3]), (root + "media/posts/202301/Fq_17", [6]),
            (root + "media/posts/202301/4.webp", [4]),
            (root + "media/stories/5.jpg", [5]),
        ])

        #expect(planned.source == .instagram && planned.faults == ["media/posts/202301/gone.jpg"])
        #expect(planned.posts.count == 5 && planned.posts.allSatisfy { $0.item.visibility == .private })
        #expect(planned.posts.contains { $0.files == [root + "media/posts/202301/Fq_17"] })
        let first = try #require(planned.post(root + "media/posts/202301/1.jpg"))
        #expect(first.caption == "Café 🐶 #dog" && first.position == Position(latitude: 59.5, longitude: 18))
        #expect(first.publishedAt == Date(timeIntervalSince1970: 1_672_531_200) && first.identity == "1.jpg 1672531200")
        let second = try #require(planned.posts.first { $0.files.count == 2 })
        #expect(second.files.map { $0.suffix(6) } == ["/2.jpg", "4.webp"] && second.item.caption == "Two")
        #expect(InstagramDownload.mended("日本語 é") == "日本語 é" && InstagramDownload.mended("ok é") == "ok é")
    }

    @Test func `Flickr's photos are found by their identifier, and only those are public that were`() throws {
        func photo(_ id: Int, _ privacy: String) -> [UInt8] {
            [UInt8](
                text: """
                    {"id":"\(id)","name":"Lake","description":"By <b>night</b>","count_faves":"4","date_taken":"2008-07-01 13:04:18",
                     "date_imported":"2008-07-03 09:48:30","tags":[{"tag":"night sky"},{"tag":"2008"}],"privacy":"\(privacy)",
                     "albums":[{"id":"1","title":"Lakes"}],"geo":[{"latitude":"49696401","longitude":"-123159753","accuracy":"15"}],
                     "safety":"safe"}
                    """)
        }
        let planned = try Planned([
            ("data/photo_2634391576.json", photo(2_634_391_576, "public")),
            ("data/photo_2634391577.json", photo(2_634_391_577, "friends & family")),
            ("data/photo_2634391578.json", photo(2_634_391_578, "public")),
            ("files/lake_2634391576_o.jpg", [1]), ("files/2634391577_6ab6f1017f_o.png", [2]), ("files/other.jpg", [3]),
        ])

        #expect(planned.source == .flickr && planned.faults == ["data/photo_2634391578.json"])
        let first = try #require(planned.post("files/lake_2634391576_o.jpg"))
        #expect(first.caption == "Lake\n\nBy night\n\n#nightsky" && first.album == "Lakes" && first.likes == 4)
        #expect(first.visibility == .public && first.photos[0].takenByClock == "2008-07-01T13:04:18")
        #expect(first.position == Position(latitude: 49.696401, longitude: -123.159753))
        #expect(planned.post("files/2634391577_6ab6f1017f_o.png")?.visibility == .private)
        #expect(planned.post("files/other.jpg") == ImportItem())
    }

    @Test func `a folder has what is said in XMP files beside its photos, and albums by its folders`() throws {
        let xmp = """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
             xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" exif:DateTimeOriginal="2015-03-04T05:06"
             exif:GPSLatitude="59,30.0N" exif:GPSLongitude="18,15,0W">
            <dc:description><rdf:Alt><rdf:li xml:lang="x-default">A boat</rdf:li></rdf:Alt></dc:description>
            <Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li xml:lang="x-default">White boat</rdf:li></rdf:Alt></Iptc4xmpCore:AltTextAccessibility>
            <dc:subject><rdf:Bag><rdf:li>sea side</rdf:li><rdf:li>boat</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let planned = try Planned([
            ("Photos/Boats/1.jpg", [1]), ("Photos/Boats/1.jpg.xmp", [UInt8](text: xmp)), ("Photos/2.CR2", [2]),
            ("Photos/Boats/2.png", [3]), ("Photos/Boats/2.xmp", [UInt8](text: "<a>")), ("Photos/notes.txt", [4]),
            ("Photos/._1.jpg", [5]), ("__MACOSX/1.jpg", [6]),
        ])

        #expect(planned.source == .folder && planned.posts.count == 3)
        let first = try #require(planned.post("Photos/Boats/1.jpg"))
        #expect(first.caption == "A boat\n\n#seaside #boat" && first.photos[0].altText == "White boat")
        #expect(first.photos[0].takenByClock == "2015-03-04T05:06:00" && first.album == "Boats")
        #expect(first.position == Position(latitude: 59.5, longitude: -18.25) && first.visibility == .private)
        #expect(planned.post("Photos/2.CR2")?.album == nil)
    }

    @Test func `an import has so many bytes, however small its archive is`() throws {
        var tree = ImportTree()
        func file(_ name: String, _ size: Int64) -> ImportTree.File {
            ImportTree.File(name: name, place: 0, number: 0, size: size, modified: nil)
        }

        let first = try tree.add(file("a.jpg", 1 << 40))
        let second = try tree.add(file("./a.jpg", 1 << 40))
        #expect(first == 0 && second == nil)
        for size in [(1 << 40) + 1, -1] {
            #expect(throws: ImportProblem.tooLarge) { _ = try tree.add(file("b.jpg", Int64(size))) }
        }
    }

    @Test func `long lists are read piece by piece, and broken ones as far as they go`() throws {
        func found(_ text: String) -> [String] {
            let bytes = [UInt8](text: text)
            let texts = ImportTexts([:]) { offset, count in
                Array(bytes[min(bytes.count, Int(offset))..<min(bytes.count, Int(offset) + count)])
            }
            var elements: [String] = []
            do throws(ImportProblem) {
                try texts.eachElement(of: .init(offset: 0, length: Int64(bytes.count))) {
                    list, span throws(ImportProblem) in
                    elements.append("\(list):" + String(decoding: try texts.bytes(of: span), as: UTF8.self))
                }
            } catch {
                elements.append(error.rawValue)
            }
            return elements
        }

        #expect(found(#"[1, "a,]", {"b":[1,{"c":"}"}]} ,[]]"#) == [":1", ":\"a,]\"", #":{"b":[1,{"c":"}"}]} "#, ":[]"])
        #expect(
            found(#"{"n":1,"x\"y":{"z":[9]},"list":[{"a":1},2],"more":["\\"]}"#) == [
                #"list:{"a":1}"#, "list:2", #"more:"\\""#,
            ])
        #expect(found("[]") == [] && found("{}") == [])
        #expect(found(#"[1,2"#) == [":1", "bad_text"] && found("") == ["bad_text"] && found("]") == ["bad_text"])
        #expect(found(String(repeating: "[", count: 100_000)) == ["bad_text"])
    }
}
