internal import Store
internal import System

/// How much of a user's storage is used, as pages show it.
struct StorageMeter {
    private let used: Int64
    /// Nil without a limit.
    private let limit: Int64?
    /// How many bytes fit now; nil without a limit.
    private let room: Int64?

    /// `usual` is the limit of users for whom nobody has set another; 0 for none.
    init(_ usage: StorageUsage, usual: Int64) {
        used = usage.stored
        limit = usage.quota(usual: usual)
        room = usage.room(usual: usual)
    }

    /// The use in words.
    var use: Phrase {
        limit.map { .storageUsed(Self.size(used), of: Self.size($0)) } ?? .storageUsed(Self.size(used))
    }

    /// A part of the settings.
    func section(_ say: Language) -> HTML {
        let bar: HTML =
            limit.map { limit in
                """
                <p><meter max="\(limit)" value="\(min(used, limit))" high="\(limit / 10 * 9)" optimum="0" aria-label="\(say(.storage))">\
                \(say(use))</meter></p>

                """
            } ?? .nothing
        let left: HTML =
            room.map { "<p class=\"facts\">\(say(.storageLeft(Self.size($0)))) \(say(.storageFreed))</p>\n" }
            ?? .nothing
        return "<h2>\(say(.storage))</h2>\n<p>\(say(use))</p>\n\(warning(say))\(bar)\(left)"
    }

    /// Why a photo was not taken for which there is no room.
    var refusal: Phrase {
        guard let room, room > 0 else { return .storageIsFull }
        return .photoDoesNotFit(Self.size(room))
    }

    /// Where less than a tenth is left.
    func warning(_ say: Language) -> HTML {
        guard let limit, let room, room == 0 || room < limit / 10 else { return .nothing }
        let words: Phrase = room == 0 ? .storageIsFull : .storageIsAlmostFull(Self.size(room))
        return "<p class=\"notice failed\" role=\"status\">\(say(words))</p>\n"
    }

    /// The same in all languages.
    private static func size(_ bytes: Int64) -> String {
        // Less than a kilobyte is one: "bytes" is a word of one language.
        bytes >= 1024 ? FileSize.text(bytes) : bytes == 0 ? "0 kB" : "1 kB"
    }
}
