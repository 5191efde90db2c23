import Crypto
import Domain
import Fakes
import Foundation
import HTTP
import Store
import TestTools
import Testing

@testable import Push

/// What browsers are told, and when.
@Suite(.timeLimit(.minutes(5)))
struct NoticeTests {
    @Test func `a refused post is told once, encrypted and signed, with its photo's page`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let submission = try await bench.submission(caption: "A boat\nat dusk")

            try await bench.sending {
                try await bench.end(submission, "rejected")
                let message = await bench.service.messages(1)[0]
                let notice = message.notification

                #expect(message.isSigned && message.claims["sub"] == "https://pics.example")
                #expect(notice["title"] == "Post failed: Flickr" && notice["lang"] == "en")
                #expect(notice["body"] == "“A boat”")
                #expect(
                    notice["navigate"]?.string?.wholeMatch(of: #/https:\/\/pics\.example\/\w{8}#tools/#) != nil)
                #expect(message.fields["TTL"] == "259200" && message.fields["Urgency"] == "normal")
                #expect(message.fields["Topic"]?.wholeMatch(of: #/[\w-]{32}/#) != nil)
                #expect(message.fields["Content-Type"] == "application/octet-stream")
                try await until { try await bench.waiting == 0 }
            }

            #expect(bench.service.messages.count == 1)
            #expect(try await bench.subscriptions()[0].deliveredAt != nil)
        }
    }

    @Test func `an unknown outcome and a lost login are told in the browser's language`() async throws {
        try await withBench { bench in
            try await bench.subscribe(language: "ja")
            let submission = try await bench.submission()
            let account = try await bench.account()

            try await bench.sending {
                try await bench.end(submission, "unknown")
                try await bench.loseLogin(account)
                let titles = Set(await bench.service.messages(2).map { $0.notification["title"]?.string ?? "" })

                #expect(titles == ["投稿の結果が不明です：Flickr", "Flickrの再接続が必要です"])
            }
        }
    }

    @Test func `replies to a photo are told together, likes elsewhere and one's own words are not`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let photo = try await bench.photo(caption: "Boat")
            func say(_ key: String, kind: Response.Kind = .comment, isOwn: Bool = false) async throws {
                _ = try await bench.store.keep(
                    FoundResponse(
                        kind: kind, key: key, author: FoundAuthor(key: "ann", name: "Ann"), text: "Lovely", isOwn: isOwn
                    ),
                    to: photo, source: Response.web)
            }
            try await say("like", kind: .like)
            try await say("own", isOwn: true)
            #expect(try await bench.waiting == 0)
            try await say("1")
            try await say("2")
            try await say("2")
            #expect(try await bench.waiting == 1)

            try await bench.sending {
                try await bench.passTime()
                let told = await bench.service.messages(1)[0].notification
                #expect(told["title"] == "2 new responses" && told["body"] == "“Boat”")
                #expect(told["navigate"]?.string?.hasSuffix("#responses") == true)
            }
        }
    }

    @Test func `likes of one photo are told together, and its owner's own are not`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let photo = try await bench.photo(caption: "Boat")
            _ = try await bench.store.setLike(true, on: photo, by: bench.alice.id)
            #expect(try await bench.waiting == 0)
            _ = try await bench.store.setLike(true, on: photo, by: bench.bob.id)
            try await bench.like(photo, visitors: 0..<2)
            #expect(try await bench.waiting == 1)

            try await bench.sending {
                try await bench.passTime()
                let first = await bench.service.messages(1)[0]
                #expect(first.notification["title"] == "3 people like your photo")
                #expect(first.notification["body"] == "“Boat”" && first.fields["Urgency"] == "low")
                try await until { try await bench.waiting == 0 }

                try await bench.like(photo, visitors: 2..<3)
                try await bench.passTime()
                let second = await bench.service.messages(2)[1]
                #expect(second.notification["title"] == "4 people like your photo")
                #expect(second.fields["Topic"] == first.fields["Topic"])
                #expect(second.notification["tag"] == first.notification["tag"])
            }
        }
    }

    @Test func `nothing is told of what is not so any more`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            let photo = try await bench.photo()
            let (retried, deleted, account) = (
                try await bench.submission(), try await bench.submission(), try await bench.account()
            )
            try await bench.like(photo)
            let visitor = try #require(Visitor(hash: SHA256Digest(of: "\(photo) 0").bytes))
            try await bench.store.setLike(false, on: photo, by: visitor)
            try await bench.end(retried, "rejected")
            try await bench.end(retried, "waiting")
            try await bench.end(deleted, "rejected")
            try await bench.database.change(
                "UPDATE photos SET deleted_at = now() WHERE id = (SELECT photo_id FROM submissions WHERE id = $1)",
                [deleted])
            try await bench.loseLogin(account)
            try await bench.database.change("UPDATE connections SET state = 'ok'")
            try await bench.passTime()
            #expect(try await bench.waiting == 4)

            try await bench.sending { try await until { try await bench.waiting == 0 } }

            #expect(bench.service.messages.isEmpty)
        }
    }

    @Test func `many of a kind are told as one`() async throws {
        try await withBench { bench in
            try await bench.subscribe()
            for _ in 0..<4 { try await bench.end(try await bench.submission(), "rejected") }
            for _ in 0..<5 { try await bench.like(try await bench.photo()) }
            try await bench.passTime()

            try await bench.sending {
                let messages = await bench.service.messages(2)
                try await until { try await bench.waiting == 0 }
                let titles = Set(messages.map { $0.notification["title"]?.string ?? "" })
                #expect(titles == ["4 posts need attention", "New likes on 5 photos"])
            }

            #expect(bench.service.messages.count == 2)
        }
    }

    @Test func `every message has the same size, whatever it says`() async throws {
        try await withBench { bench in
            try await bench.subscribe(language: "ja")
            let captions = ["", "x", String(repeating: "夕焼け", count: 2000), String(repeating: "\"\\\u{7}", count: 500)]
            for caption in captions.prefix(3) {
                try await bench.end(try await bench.submission(caption: caption), "rejected")
            }
            try await bench.like(try await bench.photo(caption: captions[3]))
            try await bench.passTime()

            try await bench.sending {
                let messages = await bench.service.messages(4)
                #expect(Set(messages.map(\.bytes)) == [2150])
                #expect(messages.allSatisfy { $0.text != nil })
            }
        }
    }

    @Test func `a browser is told what was chosen for it, and of nobody else's`() async throws {
        try await withBench { bench in
            let subscription = try await bench.subscribe()
            let account = try await bench.account()
            try await bench.loseLogin(account)
            try await bench.end(try await bench.submission(of: bench.bob), "rejected")
            #expect(try await bench.waiting == 1)

            try await bench.store.choosePushKinds([.posts], of: subscription.id, owner: bench.alice.id)
            try await bench.like(try await bench.photo())
            #expect(try await bench.waiting == 0)
            try await bench.end(try await bench.submission(), "rejected")

            #expect(try await bench.waiting == 1)
            #expect(try await bench.subscriptions()[0].kinds == [.posts])
        }
    }
}
