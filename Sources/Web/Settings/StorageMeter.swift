internal import Store

/// How much of a user's storage is used, as pages show it.
struct StorageMeter {
    private let used: Int64
    /// Nil without a limit.
    private let limit: Int64?
    /// How many bytes fit now; nil without a limit.
    private let room: Int64?

    /// A photo of a large camera, which people do not want to find out about after they have chosen it.
    private static let largePhoto = Int64(32 << 20)

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
        return "<h2>\(say(.storage))</h2>\n<p>\(say(use))</p>\n\(bar)\(left)"
    }

    /// Where little is left: less than a tenth, or than a large photo. `largest` is the largest file that is taken.
    func warning(_ say: Language, largest: Int64) -> HTML {
        guard let limit, let room, room < max(limit / 10, min(largest, Self.largePhoto)) else { return .nothing }
        let words: Phrase = room == 0 ? .storageIsFull : .storageIsAlmostFull(Self.size(room))
        return "<p class=\"notice failed\" role=\"status\">\(say(words))</p>\n"
    }

    /// The same in all languages.
    private static func size(_ bytes: Int64) -> String {
        // Less than a kilobyte is one: "bytes" is a word of one language.
        bytes >= 1024 ? PageHandlers.size(bytes) : bytes == 0 ? "0 kB" : "1 kB"
    }
}
