/// What the settings say of taking one's things along, and of leaving.
extension Phrase {
    static let yourData = Phrase("Your data", ja: "データ")
    static let exportAll = Phrase("Take everything along", ja: "すべてを書き出す")
    static let exportExplained = Phrase(
        "A ZIP archive with your photos as they came, and captions, likes, links and posts as JSON. It is made while you download it.",
        ja: "元の写真と、キャプション・いいね・リンク・投稿のJSONを含むZIPです。ダウンロードしながら作られます。")
    static let download = Phrase("Download the archive", ja: "ZIPをダウンロード")
    static let deleteAccount = Phrase("Delete the account", ja: "アカウントを削除")
    static let deleteExplained = Phrase(
        "All your photos are deleted, and their links say so. What waits is not sent any more; what is posted elsewhere stays there. Your accounts are disconnected, apps and browsers signed out. This cannot be undone.",
        ja: "すべての写真が削除され、リンクには削除済みと表示されます。待機中の投稿は送られません。他のサービスに投稿済みのものは残ります。アカウントの接続は解除され、アプリとブラウザーはログアウトします。元に戻せません。")
    static let deleteIt = Phrase("Delete my account for ever", ja: "アカウントを完全に削除する")
    static let wrongPassword = Phrase("The password is another one.", ja: "パスワードが違います。")
    static let lastAdmin = Phrase(
        "You are the last admin: make somebody else an admin first, or nobody could look after this Pics.",
        ja: "最後の管理者です。先に別の人を管理者にしてください。")
    static let goodbye = Phrase("Goodbye", ja: "さようなら")
    static let accountIsGone = Phrase("Your account and your photos are deleted.", ja: "アカウントと写真を削除しました。")
    static let yourPassword = Phrase("Your password", ja: "パスワード")
}
