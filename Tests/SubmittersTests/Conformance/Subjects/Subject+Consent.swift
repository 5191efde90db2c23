internal import Fakes
internal import Submitters

// Services where a person agrees in the browser, each in every way in which it can be asked.
extension Subject {
    static let consents = [
        twitter.consenting("twitter, by OAuth 1.0a") {
            Consent(app: ClientCredentials(consumerKeys($0)), entered: [:])
        },
        twitter.consenting("twitter, by OAuth 2") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
        twitter.consenting("twitter, by OAuth 2 without a secret") {
            Consent(app: ClientCredentials(["client_id": "client-id", "base_url": $0, "web_url": $0]), entered: [:])
        },
        mastodon.consenting("mastodon, by consent") { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) },
        pixelfed.consenting("pixelfed, by consent") { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) },
        micropub.consenting("micropub, by consent") { Consent(app: ClientCredentials([:]), entered: ["base_url": $0]) },
        dropbox.consenting("dropbox, by consent") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
        flickr.consenting("flickr, by consent") { Consent(app: ClientCredentials(consumerKeys($0)), entered: [:]) },
        facebook.consenting("facebook, by consent") {
            Consent(app: ClientCredentials(clientKeys($0)), entered: ["page": "104729384756102"])
        },
        instagram.consenting("instagram, by consent") {
            Consent(app: ClientCredentials(clientKeys($0)), entered: [:])
        },
        threads.consenting("threads, by consent") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
        tumblr.consenting("tumblr, by consent") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
        pinterest.consenting("pinterest, by consent") {
            Consent(app: ClientCredentials(clientKeys($0)), entered: [:])
        },
        googlePhotos.consenting("google photos, by consent") {
            Consent(app: ClientCredentials(clientKeys($0)), entered: ["account": "alice@example.com"])
        },
        youtube.consenting("youtube, by consent") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
        mixi.consenting("mixi, by consent") { Consent(app: ClientCredentials(clientKeys($0)), entered: [:]) },
    ]

    /// Those that are connected by what a person enters, one for each service.
    static let entered = allCases.reduce(into: [Subject]()) { first, each in
        if each.consent == nil, !first.contains(where: { $0.service == each.service }) { first.append(each) }
    }

    private func consenting(_ name: String, _ consent: @escaping @Sendable (String) -> Consent) -> Subject {
        var subject = self
        subject.name = name
        subject.consent = consent
        return subject
    }

    private static func consumerKeys(_ url: String) -> [String: String] {
        ["consumer_key": "consumer-key", "consumer_secret": "consumer-secret", "base_url": url]
    }

    private static func clientKeys(_ url: String) -> [String: String] {
        ["client_id": "client-id", "client_secret": "client-secret", "base_url": url, "web_url": url]
    }
}
