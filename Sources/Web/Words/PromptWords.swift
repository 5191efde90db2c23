internal import Submitters

/// The prompts and notes of services. Their descriptions have the English text.
extension Phrase {
    /// The prompt of a service's field.
    static func prompt(_ field: CredentialField, of service: String) -> Phrase {
        Phrase(field.prompt, ja: prompts["\(service).\(field.name)"] ?? commonPrompts[field.name] ?? field.prompt)
    }

    /// `ServiceDescription.note`.
    static func note(_ english: String, of service: String) -> Phrase { Phrase(english, ja: notes[service] ?? english) }

    /// `ServiceDescription.linkNote`.
    static func linkNote(_ english: String, of service: String) -> Phrase {
        Phrase(english, ja: linkNotes[service] ?? english)
    }

    /// `ProblemParameters.label` in Japanese, by its English.
    static let problemLabels = [
        "A channel or group of this name that the bot is in": "ボットが参加しているこの名前のチャンネルまたはグループ",
        "An Immich server at this address": "このアドレスのImmichサーバー",
        "A channel of this Google account": "このGoogleアカウントのチャンネル",
        "The API key": "APIキー",
        "The answer about children": "子ども向けかどうかの回答",
        "The address of your server": "サーバーのアドレス",
        "The channel or group": "チャンネルまたはグループ",
        "The token of your bot": "ボットのトークン",
        "A site that takes posts with this audience": "この公開範囲の投稿を受け付けるサイト",
        "A site with Micropub at this address": "このアドレスのMicropubに対応したサイト",
        "A site with a sign-in for apps (IndieAuth)": "アプリからのログイン（IndieAuth）に対応したサイト",
        "The access token": "アクセストークン",
        "A Pixelfed server at this address": "このアドレスのPixelfedサーバー",
        "A WordPress site at this address": "このアドレスのWordPressサイト",
        "A WordPress site whose REST interface is open": "REST APIを利用できるWordPressサイト",
        "A bucket of this name": "この名前のバケット",
        "The access key": "アクセスキー",
        "The address of the bucket": "バケットのアドレス",
        "The address of the site": "サイトのアドレス",
        "The address of the store": "ストアのアドレス",
        "The address of your site": "サイトのアドレス",
        "The application password": "アプリケーションパスワード",
        "The bucket": "バケット",
        "The folder": "フォルダー",
        "The secret key": "シークレットキー",
        "A blog of this name": "この名前のブログ",
        "A folder at this address": "このアドレスのフォルダー",
        "A folder of the archive for this user": "このユーザー用のアーカイブのフォルダー",
        "A name for the account": "アカウントの名前",
        "A page on which you may post": "投稿できるページ",
        "A token": "トークン",
        "An access token": "アクセストークン",
        "An app password": "アプリパスワード",
        "Each of the four keys": "4つのキーすべて",
        "The AtomPub API key": "AtomPub APIキー",
        "The access token of the page": "ページのアクセストークン",
        "The address of the folder": "フォルダーのアドレス",
        "The address of the server": "サーバーのアドレス",
        "The address of the webhook": "ウェブフックのアドレス",
        "The address of your folder": "フォルダーのアドレス",
        "The client ID": "クライアントID",
        "The client secret": "クライアントシークレット",
        "The number of the page": "ページの番号",
        "The password": "パスワード",
        "The token": "トークン",
        "The user name": "ユーザー名",
        "Your Hatena id": "はてなID",
        "Your handle": "ハンドル",
    ]

    private static let commonPrompts = [
        "password": "パスワード",
        "refresh_token": "リフレッシュトークン",
        "username": "ユーザー名",
        "web_url": "許可ページのアドレス",
    ]

    /// By service and field.
    private static let prompts = [
        "bluesky.base_url": "サーバーのアドレス",
        "bluesky.identifier": "ハンドル（例：alice.bsky.social）",
        "bluesky.password": "アプリパスワード（設定→プライバシーとセキュリティ）",
        "discord.webhook": "ウェブフックのアドレス（サーバー設定→連携サービス→ウェブフック）",
        "s3.access_key": "アクセスキー",
        "s3.base_url": "ストアのアドレス（例：https://s3.ap-northeast-1.amazonaws.com）",
        "s3.bucket": "バケット",
        "s3.prefix": "バケット内のフォルダー",
        "s3.public_url": "バケットを誰でも読めるアドレス（ある場合）",
        "s3.region": "リージョン（ある場合）",
        "s3.secret_key": "シークレットキー",
        "immich.api_key": "APIキー（アカウント設定）",
        "immich.base_url": "サーバーのアドレス（例：https://photos.example）",
        "telegram.base_url": "ボットAPIのアドレス（Telegram以外の場合）",
        "telegram.chat": "チャンネルまたはグループ（@名前または番号）",
        "telegram.token": "ボットのトークン（@BotFatherから取得）",
        "wordpress.base_url": "サイトのアドレス（例：https://blog.example）",
        "wordpress.username": "ユーザー名",
        "wordpress.password": "アプリケーションパスワード（サイトのプロフィール画面）",
        "dropbox.base_url": "API全体のアドレス（Dropbox以外の場合）",
        "dropbox.client_id": "dropbox.com/developers で作ったアプリのキー",
        "dropbox.client_secret": "アプリシークレット（PKCEのみの場合は空欄）",
        "evernote.base_url": "サービスのアドレス",
        "evernote.token": "EDAMのトークン（S= で始まるもの）",
        "facebook.scopes": "要求する権限",
        "facebook.access_token": "ページのアクセストークン",
        "facebook.base_url": "Graph APIのアドレス（Facebook以外の場合）",
        "facebook.client_id": "developers.facebook.com のアプリID",
        "facebook.client_secret": "アプリシークレット",
        "facebook.page": "ページの番号（ブラウザで接続するときは名前も可）",
        "facebook.version": "Graph APIのバージョン",
        "flickr.access_token": "OAuthトークン（削除の権限付き）",
        "flickr.access_token_secret": "OAuthトークンシークレット",
        "flickr.base_url": "API全体のアドレス（Flickr以外の場合）",
        "flickr.consumer_key": "flickr.com/services/apps で作ったアプリのAPIキー",
        "flickr.consumer_secret": "そのシークレット",
        "fotolife.api_key": "AtomPub APIキー（blog.hatena.ne.jp/my/config/detail）",
        "fotolife.base_url": "フォトライフのアドレス",
        "fotolife.username": "はてなID",
        "google-photos.account": "アカウントの呼び名（メールアドレスなど）",
        "google-photos.base_url": "APIのアドレス（Google以外の場合）",
        "google-photos.client_id": "console.cloud.google.com のプロジェクトのクライアントID",
        "google-photos.client_secret": "クライアントシークレット",
        "mastodon.access_token": "アクセストークン（スコープ read と write）",
        "pixelfed.access_token": "アクセストークン（スコープ read と write）",
        "pixelfed.base_url": "サーバーのアドレス（例：https://pixelfed.social）",
        "mastodon.base_url": "サーバーのアドレス（例：https://mastodon.social）",
        "micropub.access_token": "サイトのアクセストークン",
        "micropub.base_url": "サイトのアドレス（例：https://blog.example）",
        "minus.base_url": "Minusは終了しました。同じプロトコルを使うサーバーのアドレス",
        "minus.client_id": "APIキー（サーバーが求める場合）",
        "minus.client_secret": "APIシークレット（サーバーが求める場合）",
        "mixi.base_url": "API全体のアドレス（mixi以外の場合）",
        "mixi.client_id": "developer.mixi.co.jp で作ったアプリのコンシューマーキー",
        "mixi.client_secret": "コンシューマーシークレット",
        "mixi2.auth_key": "アプリケーションの認証キー（ある場合）",
        "mixi2.base_url": "API全体のアドレス（mixi2以外の場合）",
        "mixi2.client_id": "developer.mixi.social で作ったアプリケーションのクライアントID",
        "mixi2.client_secret": "クライアントシークレット",
        "mixi2.handle": "mixi2でのアプリケーションのユーザー名（投稿へのリンク用、@なし）",
        "pinterest.base_url": "APIのアドレス（サンドボックスなど、通常と異なる場合）",
        "pinterest.client_id": "developers.pinterest.com/apps で作ったアプリのID",
        "pinterest.client_secret": "アプリのシークレットキー",
        "tumblr.base_url": "APIのアドレス（Tumblr以外の場合）",
        "tumblr.blog": "ブログ名（最初のブログ以外の場合）",
        "tumblr.client_id": "tumblr.com/oauth/apps で作ったアプリのOAuthコンシューマーキー",
        "tumblr.client_secret": "そのシークレット",
        "twitter.access_token": "アクセストークン（読み取りと書き込みの権限付き）",
        "twitter.access_token_secret": "アクセストークンシークレット",
        "twitter.base_url": "APIのアドレス",
        "twitter.client_id": "console.x.com で作ったアプリのOAuth 2.0クライアントID",
        "twitter.client_secret": "クライアントシークレット（公開クライアントでは不要）",
        "twitter.consumer_key": "console.x.com で作ったアプリのAPIキー（OAuth 1.0aを使う場合）",
        "twitter.consumer_secret": "APIキーシークレット",
        "youtube.base_url": "APIのアドレス（Google以外の場合）",
        "youtube.client_id": "console.cloud.google.com のプロジェクトのクライアントID",
        "youtube.client_secret": "クライアントシークレット",
        "youtube.made_for_kids": "動画は子ども向けですか？（はい、または空欄で「いいえ」）",
        "webdav.base_url": "フォルダーのアドレス（例：https://cloud.example/remote.php/dav/files/alice）",
        "webdav.password": "パスワード（Pics専用のものをおすすめします）",
    ]

    private static let notes = [
        "pinterest":
            "このサーバーのアプリにPinterestが標準アクセスを認めるまで、ピンは拒否されるか、あなただけに表示されます。",
        "youtube": "YouTubeに送れるのは動画のみです。写真は送られません。",
        "telegram": "ボットを、投稿できる管理者としてチャンネルに追加してください。",
        "wordpress": "サイトはHTTPSで公開されている必要があります。受け付けるファイルはサイトの設定によります。",
        "facebook": "Facebookで投稿できるのはページのみで、個人のプロフィールには投稿できません。",
        "google-photos": "Picsが表示・変更できるのは、Picsが作成したアルバムのみです。",
        "mastodon": "キャプションの長さ、ファイルの大きさ、動画の可否は、サーバーによって異なります。",
        "pixelfed": "キャプションの長さ、ファイルの大きさ、動画の可否は、サーバーによって異なります。",
        "micropub": "サイトがMicropubに対応している必要があります（Micro.blog、MicropubプラグインのあるWordPressなど）。",
        "minus": "Minusは終了しました。同じプロトコルを使うサーバーのアドレス",
        "mixi": "mixiが現在もアプリからのアクセスに応答するかは不明です。最後に確認できたのは2023年です。",
        "mixi2": "mixi2で投稿できるのはアプリケーションのみです。写真はアプリケーション自身のアカウントで公開されます。",
        "twitter": "Xは投稿ごとに運営者のアプリへ課金します。リンク付きの投稿は数倍の料金です。",
    ]

    private static let linkNotes = [
        "twitter": "Xの料金は、リンク付きの投稿が0.20ドル、リンクなしが0.015ドルです。途中で切られたキャプションの末尾にはリンクが付きます。"
    ]
}
