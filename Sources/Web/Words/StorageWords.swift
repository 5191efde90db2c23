/// Words of what a user has stored, and may store.
extension Phrase {
    static let storage = Phrase("Storage", ja: "保存容量")
    static let storageFreed = Phrase(
        "Deleting photos frees space; part of it within a day.", ja: "写真を削除すると空きが増えます（一部は1日かけて空きます）。")
    static let storageIsFull = Phrase(
        "Your storage is full. Delete photos, or ask your admin for more space. Space of deleted photos is freed within a day.",
        ja: "保存容量がいっぱいです。写真を削除するか、管理者に上限の引き上げを依頼してください。削除した写真の容量が空くまで最大1日かかります。")

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
