internal import Domain
internal import EventLoops
internal import Foundation
internal import HTTP
internal import Submitters
internal import System
internal import Testing

struct RegistryTests {
    private let registry = Registry.standard(
        SubmitterConfiguration(
            archive: "/nowhere", threads: BlockingThreads(name: "archive", count: 1), servers: .publicOnly))

    @Test(arguments: [
        ("twitter", "twitter"), ("Twitter", "twitter"), ("TwitterPhotoSubmitter", "twitter"), ("x", "twitter"),
        ("FILE", "file"), ("FilePhotoSubmitter", "file"), ("mastodon", "mastodon"), ("pixelfed", "pixelfed"),
        ("FotolifePhotoSubmitter", "fotolife"), ("hatena", "fotolife"), ("PicasaPhotoSubmitter", "google-photos"),
        ("dropbox", "dropbox"), ("Dropbox", "dropbox"), ("DropboxPhotoSubmitter", "dropbox"), ("YouTube", "youtube"),
    ])
    func `a service is found by its short, capitalised and full names`(name: String, id: String) {
        #expect(registry[name]?.description.id == id)
    }

    @Test(arguments: ["", "photosubmitter", "dropbox?", "twitterphoto"])
    func `a name that no service has finds none`(name: String) {
        #expect(registry[name] == nil)
    }

    @Test func `every service in the sources is registered, once`() throws {
        let folder = #filePath.components(separatedBy: "/Tests/")[0] + "/Sources/Submitters"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let shared = ["Contract/", "Account/", "Sending/", "OAuth/"]
        let inFolders = files.filter { file in
            !shared.contains { file.hasPrefix($0) } && file.contains("/") && file.hasSuffix("Submitter.swift")
        }
        .map { $0.split(separator: "/")[1].dropLast(".swift".count) }

        let registered = registry.submitters.map { "\(type(of: $0))" }

        #expect(registered.sorted() == inFolders.map(String.init).sorted())
    }

    @Test(arguments: [
        ("mastodon", nil, true), ("mastodon", "public", true), ("mastodon", "unlisted", true),
        ("mastodon", "private", false), ("mastodon", "direct", false),
        // Of a later release, or of one before.
        ("mastodon", "mutuals", false), ("bluesky", "followers", false), ("later", "public", false),
        ("youtube", nil, true), ("youtube", "unlisted", true), ("youtube", "private", false),
        ("later", nil, false),
        // Their links are the members' alone.
        ("evernote", nil, false), ("mixi", "everyone", false),
    ])
    func `a post is open to everybody only where its service says so`(
        service: String, visibility: String?, expected: Bool
    ) {
        #expect(registry.isOpen(toEverybody: visibility, at: service) == expected)
    }

    @Test func `no two services share a name`() {
        let names = registry.submitters.flatMap { [$0.description.id] + $0.description.aliases }.map { $0.lowercased() }

        #expect(Set(names).count == names.count)
    }

    @Test func `every service has a page that tells how to get keys`() {
        let folder = #filePath.components(separatedBy: "/Tests/")[0] + "/docs/services"

        for name in registry.names {
            #expect(FileManager.default.fileExists(atPath: "\(folder)/\(name).md"), "\(name)")
        }
    }

    @Test func `the rest of the program names no service`() throws {
        let sources = #filePath.components(separatedBy: "/Tests/")[0] + "/Sources"
        // The own archive's id is an ordinary word, and caption rules have names of their own.
        // Pics itself speaks Micropub and sends mail.
        let names = registry.submitters
            .filter { !$0.description.isOwnArchive && !["micropub", "mail"].contains($0.description.id) }
            .map { "\"\($0.description.id)\"" }
        let exceptions = ["Submitters/", "Web/Words/", "Domain/Captions/"]
        let files = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
            .filter { file in file.hasSuffix(".swift") && !exceptions.contains { file.hasPrefix($0) } }

        let leaks = try files.filter { file in
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            return names.contains { text.contains($0) }
        }

        #expect(files.count > 100)
        #expect(leaks == [])
    }

    @Test func `what is asked for has a name and a question, each name once`() {
        for submitter in registry.submitters {
            let oauth = (submitter as? any OAuthSubmitter)?.oauth
            for fields in [submitter.description.credentialFields, oauth?.appFields ?? [], oauth?.accountFields ?? []] {
                #expect(Set(fields.map(\.name)).count == fields.count)
                #expect(fields.allSatisfy { !$0.prompt.isEmpty && $0.name.wholeMatch(of: /[a-z_]+/) != nil })
            }
        }
    }

    @Test func `a choice has a usual value, which the owner's replaces where it is of its kind`() {
        for choice in AccountChoice.allCases {
            #expect(choice.value(in: [:]) == choice.defaultValue)
            guard case .flag(let usual) = choice.kind else {
                #expect(choice.text(in: [choice.name: ""]) == nil && choice.text(in: [choice.name: "x"]) == "x")
                continue
            }
            #expect(choice.flag(in: [choice.name: .null]) == usual && choice.flag(in: [choice.name: "yes"]) == usual)
            #expect(choice.flag(in: [choice.name: .bool(!usual)]) == !usual)
        }
    }

    @Test func `a service offers the choices that it can follow`() throws {
        func offered(_ name: String) throws -> [AccountChoice] {
            let submitter = try #require(registry[name])
            return AccountChoice.allCases.filter { $0.isOffered(by: submitter) }
        }
        let always: [AccountChoice] = [
            .enabled, .takesUnlisted, .postWord, .caption, .captionTemplate, .captionRule, .longCaption,
        ]

        #expect(try offered("twitter") == always + [.quality, .autoEnhance])
        #expect(try offered("flickr") == always + [.keepPosition, .quality, .autoEnhance, .album, .visibility])
        #expect(try offered("webdav") == always + [.keepPosition, .quality, .autoEnhance, .album, .share])
        #expect(try offered("youtube") == always + [.album, .visibility])
        #expect(try offered("file") == always)
    }

    @Test func `an account's settings choose its rule and its template`() {
        let chosen: JSONValue = ["caption_rule": "twitter_weighted", "caption_template": "{date}: {caption}"]
        let none = AccountCaption([:], serviceRule: .twitterClassic)
        let captions = AccountCaption(chosen, serviceRule: .twitterClassic)

        func text(_ captions: AccountCaption) -> String {
            captions.text(
                of: "Sea", moment: Date(timeIntervalSince1970: 0), timeZone: .utc, shortURL: "https://pics.example/x")
        }
        #expect(none.rule == .twitterClassic)
        #expect(text(none) == "Sea")
        #expect(captions.rule == .twitterWeighted)
        #expect(text(captions) == "1970-01-01: Sea")
    }
}
