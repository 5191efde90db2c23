internal import Domain
internal import Fakes
internal import Foundation
internal import HTTP
internal import TestTools
internal import Testing

@testable internal import Submitters

struct TelegramSubmitterTests {
    private let telegram = TelegramSubmitter(servers: .any)

    private func entries(_ url: String, _ change: [String: String] = [:]) -> [String: String] {
        ["base_url": url, "token": FakeTelegram.token, "chat": "@lakes"].merging(change) { $1 }
    }

    @Test(arguments: ["@lakes", "lakes", "https://t.me/lakes", "-1001234567890"])
    func `a channel is named by its name, its number or its address`(chat: String) async throws {
        try await withFake(FakeTelegram()) { _, server, transport in
            let account = try await telegram.connect(entries(server.url, ["chat": chat]), over: transport)
            #expect(account.name == "@lakes" && account.remoteID == "110201543/-1001234567890")
        }
    }

    @Test(arguments: ["", "110201543", "110201543:short", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/../x"])
    func `what is no token is refused before anybody is asked`(token: String) async throws {
        let server = Recording()
        #expect(
            await meaning { try await telegram.connect(entries("https://a.test", ["token": token]), over: server) }
                == .rejected)
        #expect(server.sent.isEmpty)
    }

    @Test(arguments: [("administrator", false), ("member", true), ("left", true), ("kicked", true)])
    func `a bot that may not post in the channel is told so`(status: String, mayPost: Bool) async throws {
        var options = FakeTelegram.Options()
        (options.status, options.mayPost) = (status, mayPost)
        try await withFake(FakeTelegram(options)) { _, server, transport in
            do throws(SubmissionError) {
                _ = try await telegram.connect(entries(server.url), over: transport)
                Issue.record("connected")
            } catch {
                #expect(error.problem.code == .permissionDenied)
            }
        }
    }

    @Test func `a channel that the bot does not see is not found`() async throws {
        try await withFake(FakeTelegram()) { _, server, transport in
            do throws(SubmissionError) {
                _ = try await telegram.connect(entries(server.url, ["chat": "@hills"]), over: transport)
                Issue.record("connected")
            } catch {
                #expect(error.problem.code == .destinationMissing)
            }
        }
    }

    @Test func `a group that has another number now gets the post there, once`() async throws {
        try await withScene(subject { $0.hasMoved = true }) { scene in
            let receipt = try await scene.submit()
            #expect(scene.publishedIDs.count == 1)
            #expect(receipt.remoteID == "-1009876543210/\(scene.publishedIDs[0])")
            try await scene.edit(receipt, text: "Other words", altText: "")
            #expect(scene.host?.service.effects.map(\.text) == ["Other words"])
            try await scene.delete(receipt)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test(arguments: [("lakes", "https://t.me/lakes/42"), (nil, "https://t.me/c/1234567890/42")])
    func `a post has the address that members open`(username: String?, url: String) async throws {
        var subject = subject { $0.username = username }
        if username == nil {
            subject = Subject(
                name: subject.name, steps: subject.steps, tellsOutcome: false, fake: subject.fake,
                submitter: subject.submitter,
                entries: { ["base_url": $0, "token": FakeTelegram.token, "chat": "-1001234567890"] })
        }
        try await withScene(subject) { scene in
            let receipt = try await scene.submit()
            #expect(receipt.url == url)
        }
    }

    @Test func `several pictures are one post, with the caption below the first`() async throws {
        try await withScene(.telegramSeveral) { scene in
            let receipt = try await scene.submit()
            let post = try #require(scene.host?.service.effects.first)
            #expect(scene.publishedIDs == [receipt.remoteID])
            #expect(post.media.count == 4 && post.text == Scene.text)
            try await scene.delete(receipt)
            #expect(scene.publishedIDs.isEmpty)
        }
    }

    @Test func `an edit changes the words, and the same words are no error`() async throws {
        try await withScene(.telegram) { scene in
            let receipt = try await scene.submit()
            try await scene.edit(receipt, text: "Other words", altText: "")
            try await scene.edit(receipt, text: "Other words", altText: "")
            #expect(scene.host?.service.effects.map(\.text) == ["Other words"])
        }
    }

    @Test func `a limit ends when Telegram says`() async throws {
        try await withScene(.telegram) { scene in
            scene.host?.fail(
                "POST /{bot}/sendPhoto",
                .status(429, body: #"{"ok":false,"error_code":429,"parameters":{"retry_after":30}}"#))
            do {
                _ = try await scene.submit()
                Issue.record("posted")
            } catch let error as SubmissionError {
                guard case .limited(_, .account, let until) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(until == scene.clock.now + 31)
            }
        }
    }

    private func subject(_ change: @escaping @Sendable (inout FakeTelegram.Options) -> Void) -> Subject {
        var subject = Subject.telegram
        subject.fake = { clock in
            var options = FakeTelegram.Options()
            change(&options)
            return FakeTelegram(options, now: clock.read)
        }
        return subject
    }
}
