/// What services ask for and tell, which their descriptions have in English.
extension Phrase {
    /// The prompt of a field; without Japanese of its own it stays as it is.
    static func prompt(_ english: String) -> Phrase { Phrase(english, ja: prompts[english] ?? english) }

    /// What people should know of a service.
    static func note(_ english: String) -> Phrase { Phrase(english, ja: notes[english] ?? english) }

    private static let prompts = [
        "A name for the account, such as its address": "アカウントの呼び名（メールアドレスなど）",
        "API key of your app at console.x.com": "console.x.com で作ったアプリのAPIキー",
        "API key of your app at flickr.com/services/apps": "flickr.com/services/apps で作ったアプリのAPIキー",
        "API key secret": "APIキーシークレット",
        "API key, for OAuth 1.0a instead": "APIキー（OAuth 1.0aを使う場合）",
        "API key, if the server asks for one": "APIキー（サーバーが求める場合）",
        "API secret, if the server asks for one": "APIシークレット（サーバーが求める場合）",
        "Access token of the page": "ページのアクセストークン",
        "Access token secret": "アクセストークンシークレット",
        "Access token with the scopes read and write": "アクセストークン（スコープ read と write）",
        "Access token, made with the permission to read and write": "アクセストークン（読み取りと書き込みの権限付き）",
        "Address of Fotolife": "フォトライフのアドレス",
        "Address of all of the API": "API全体のアドレス",
        "Address of all of the API, if it is not Dropbox's": "API全体のアドレス（Dropbox以外の場合）",
        "Address of all of the API, if it is not Flickr's": "API全体のアドレス（Flickr以外の場合）",
        "Address of all of the API, if it is not mixi's": "API全体のアドレス（mixi以外の場合）",
        "Address of all of the API, if it is not mixi2's": "API全体のアドレス（mixi2以外の場合）",
        "Address of the API": "APIのアドレス",
        "Address of the API, if it is not Google's": "APIのアドレス（Google以外の場合）",
        "Address of the API, if it is not Tumblr's": "APIのアドレス（Tumblr以外の場合）",
        "Address of the Graph API": "Graph APIのアドレス",
        "Address of the Graph API, if it is not Facebook's": "Graph APIのアドレス（Facebook以外の場合）",
        "Address of the consent page": "許可ページのアドレス",
        "Address of the service": "サービスのアドレス",
        "Address of the webhook (server settings, Integrations, Webhooks)":
            "ウェブフックのアドレス（サーバー設定→連携サービス→ウェブフック）",
        "Address of your folder, such as https://cloud.example/remote.php/dav/files/alice":
            "フォルダーのアドレス（例：https://cloud.example/remote.php/dav/files/alice）",
        "Address of your server": "サーバーのアドレス",
        "Address of your server, such as https://mastodon.social": "サーバーのアドレス（例：https://mastodon.social）",
        "An app password (Settings, Privacy and security)": "アプリパスワード（設定→プライバシーとセキュリティ）",
        "App id at developers.facebook.com": "developers.facebook.com のアプリID",
        "App key of your app at dropbox.com/developers": "dropbox.com/developers で作ったアプリのキー",
        "App secret": "アプリシークレット",
        "App secret, if it is not used with PKCE": "アプリシークレット（PKCEを使わない場合）",
        "App secret; empty for PKCE alone": "アプリシークレット（PKCEのみの場合は空欄）",
        "AtomPub API key (blog.hatena.ne.jp/my/config/detail)": "AtomPub APIキー（blog.hatena.ne.jp/my/config/detail）",
        "Auth key of the application, if it has one": "アプリケーションの認証キー（ある場合）",
        "Client ID of your application at developer.mixi.social":
            "developer.mixi.social で作ったアプリケーションのクライアントID",
        "Client id of your project at console.cloud.google.com":
            "console.cloud.google.com のプロジェクトのクライアントID",
        "Client secret": "クライアントシークレット",
        "Client secret; none for a public client": "クライアントシークレット（公開クライアントでは不要）",
        "Consumer key of your app at developer.mixi.co.jp": "developer.mixi.co.jp で作ったアプリのコンシューマーキー",
        "Consumer secret": "コンシューマーシークレット",
        "Its secret": "そのシークレット",
        "Minus has ended; address of a server that speaks its protocol":
            "Minusは終了しました。同じプロトコルを使うサーバーのアドレス",
        "Name of the blog, if it is not your first": "ブログ名（最初のブログ以外の場合）",
        "Name or number of your page": "ページの名前または番号",
        "Number of the page": "ページの番号",
        "OAuth 2.0 client id of your app at console.x.com": "console.x.com で作ったアプリのOAuth 2.0クライアントID",
        "OAuth consumer key of your app at tumblr.com/oauth/apps":
            "tumblr.com/oauth/apps で作ったアプリのOAuthコンシューマーキー",
        "OAuth token secret": "OAuthトークンシークレット",
        "OAuth token with the permission to delete": "OAuthトークン（削除の権限付き）",
        "Password": "パスワード",
        "Password; best one that is made for Pics alone": "パスワード（Pics専用のものをおすすめします）",
        "Refresh token": "リフレッシュトークン",
        "The application's name at mixi2, for links to its posts (without @)":
            "mixi2でのアプリケーションのユーザー名（投稿へのリンク用、@なし）",
        "Token of EDAM, which begins with S=": "EDAMのトークン（S= で始まるもの）",
        "User name": "ユーザー名",
        "Version of the Graph API": "Graph APIのバージョン",
        "Your Hatena id": "はてなID",
        "Your handle, such as alice.bsky.social": "ハンドル（例：alice.bsky.social）",
    ]

    private static let notes = [
        "Whether mixi still answers applications is not known: its last sign of life was in 2023.":
            "mixiが現在もアプリからのアクセスに応答するかは不明です。最後に確認できたのは2023年です。",
        "mixi2 lets applications post, not people: photos appear under the application's own account.":
            "mixi2で投稿できるのはアプリケーションのみです。写真はアプリケーション自身のアカウントで公開されます。",
        "Minus has ended in about 2016. Only a server that speaks its protocol can be connected, by its address.":
            "Minusは2016年ごろに終了しました。同じプロトコルを使うサーバーのみ、アドレスを指定して接続できます。",
        "Google lets Pics see and change only the albums that Pics has made.":
            "Picsが表示・変更できるのは、Picsが作成したアルバムのみです。",
        "X charges the operator's application for each post, and several times as much for one with a link.":
            "Xは投稿ごとに運営者のアプリへ課金します。リンク付きの投稿は数倍の料金です。",
        "X takes $0.20 for a post with a link, and $0.015 for one without. A caption that is cut ends with a link.":
            "Xの料金は、リンク付きの投稿が0.20ドル、リンクなしが0.015ドルです。途中で切られたキャプションの末尾にはリンクが付きます。",
        "How long captions may be, how large files, and whether there are videos, your server says.":
            "キャプションの長さ、ファイルの大きさ、動画の可否は、サーバーによって異なります。",
        "Facebook lets Pics post to pages, not to people's own profiles.":
            "Facebookで投稿できるのはページのみで、個人のプロフィールには投稿できません。",
    ]
}
