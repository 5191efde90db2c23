/// Words of what a user has stored, and may store.
extension Phrase {
    static let storage = Phrase("Storage", ja: "保存容量")
    static let storageFreed = Phrase(
        "Deleting photos frees space; part of it within a day.", ja: "写真を削除すると空きが増えます（一部は1日かけて空きます）。")
    static let storageIsFull = Phrase(
        "Your storage is full. Delete photos, or ask your admin for more space. Space of deleted photos is freed within a day.",
        ja: "保存容量がいっぱいです。写真を削除するか、管理者に上限の引き上げを依頼してください。削除した写真の容量が空くまで最大1日かかります。")

    static let storageLimit = Phrase("Storage limit", ja: "容量の上限")
    static let storageLimitNeedsUnit = Phrase(
        "Enter a size with its unit, such as 20GiB.", ja: "20GiBのように、単位を付けて入力してください。")

    static func storageLimit(of name: String) -> Phrase {
        Phrase("Storage limit of \(name)", ja: "\(name)さんの容量の上限")
    }

    /// `usual` is the limit of those for whom nobody has set another; nil for none.
    static func storageLimitHint(usual: String?) -> Phrase {
        Phrase(
            "Such as 20GiB. Empty: the default, \(usual ?? "no limit"). 0: no limit. What is stored already stays.",
            ja: "例：20GiB。空欄にすると標準（\(usual ?? "上限なし")）、0にすると上限なしになります。保存済みの写真は残ります。")
    }

    static func storageUsed(_ used: String) -> Phrase { Phrase("\(used) used", ja: "使用量 \(used)") }

    static func storageUsed(_ used: String, of limit: String) -> Phrase {
        Phrase("\(used) of \(limit) used", ja: "使用量 \(used)／上限 \(limit)")
    }

    static func storageLeft(_ room: String) -> Phrase { Phrase("\(room) left.", ja: "残り \(room)。") }

    static func storageIsAlmostFull(_ room: String) -> Phrase {
        Phrase(
            "Only \(room) left: larger photos will be refused.", ja: "保存容量は残り \(room) です。これより大きな写真は受け付けられません。")
    }

    static func photoDoesNotFit(_ room: String) -> Phrase {
        Phrase(
            "This photo does not fit: \(room) left. Delete photos, or ask your admin for more space. Space of deleted photos is freed within a day.",
            ja: "保存容量が足りません（残り \(room)）。写真を削除するか、管理者に上限の引き上げを依頼してください。削除した写真の容量が空くまで最大1日かかります。")
    }
}
