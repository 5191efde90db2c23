/// What the pages of the applications' keys say.
extension Phrase {
    static let keys = Phrase("Keys", ja: "アプリのキー")
    static let allKeys = Phrase("All keys", ja: "キーの一覧")
    static let keysExplained = Phrase(
        "These services let an application in by its keys. You register Pics there once, and everybody here can connect accounts.",
        ja: "これらのサービスの利用には、アプリのキーが必要です。Picsを一度登録すると、全員がアカウントを接続できます。")
    static let keysOfSettings = Phrase("keys of the settings", ja: "設定ファイルのキーを使用")
    static let keysEntered = Phrase("keys entered here", ja: "入力済み")
    static let noKeys = Phrase("no keys", ja: "キーなし")
    static let someMissing = Phrase("some are missing", ja: "一部不足")
    static let replace = Phrase("Replace", ja: "変更")
    static let enter = Phrase("Enter", ja: "入力")
    static let settingsWin = Phrase(
        "There are keys in the settings of Pics. They win over what is entered here.",
        ja: "Picsの設定ファイルにキーがあり、ここで入力した値より優先されます。")
    static let keysAreKept = Phrase(
        "There are keys. They are not shown; what you enter takes their place.",
        ja: "登録済みのキーは表示されません。入力すると置き換わります。")
    static let forgetKeys = Phrase("Forget them", ja: "キーを削除する")
    static let keyTooLong = Phrase("A key is too long.", ja: "キーが長すぎます。")
    static let keysWereKept = Phrase(
        "The keys were kept. They are not shown again.", ja: "キーを保存しました。再び表示されることはありません。")
    static let keysWereForgotten = Phrase(
        "The keys were forgotten. Accounts that are connected keep theirs.",
        ja: "キーを削除しました。接続済みのアカウントには影響しません。")

    static func keysOf(_ service: String) -> Phrase { Phrase("Keys of \(service)", ja: "\(service) のキー") }

    static func keysFor(_ service: String) -> Phrase { Phrase("Keys for \(service)", ja: "\(service) のキー") }

    static func registerAt(_ service: String) -> Phrase {
        Phrase(
            "Register Pics at \(service) with this callback address:",
            ja: "\(service) に、次のコールバックアドレスでPicsを登録してください：")
    }
}
