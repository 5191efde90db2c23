internal import HTTP
internal import Testing

@testable internal import Submitters

struct OAuth1Tests {
    @Test func `the sample of docs.x.com is signed as published`() {
        let oauth = OAuth1(
            consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
            token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
            tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

        let header = oauth.authorization(
            for: .post, "https://api.x.com/1.1/statuses/update.json?include_entities=true",
            form: ["status": "Hello Ladies + Gentlemen, a signed OAuth request!"],
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958)

        #expect(
            header == """
                OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", \
                oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", \
                oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", \
                oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", oauth_version="1.0", \
                oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"
                """)
    }

    @Test func `the same sample on the older host has the older signature`() {
        let oauth = OAuth1(
            consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
            token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
            tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

        let header = oauth.authorization(
            for: .post, "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
            form: ["status": "Hello Ladies + Gentlemen, a signed OAuth request!"],
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958)

        #expect(header.hasSuffix("oauth_signature=\"hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D\""))
    }

    @Test func `the photos of RFC 5849 section 1.2 are signed as published`() {
        let oauth = OAuth1(
            consumerKey: "dpf43f3p2l4k3l03", consumerSecret: "kd94hf93k423kf44", token: "nnch734d00sl2jdk",
            tokenSecret: "pfkkdhi9sl3r4s00")
        let parameters: FormFields = [
            "oauth_consumer_key": "dpf43f3p2l4k3l03", "oauth_token": "nnch734d00sl2jdk",
            "oauth_signature_method": "HMAC-SHA1", "oauth_timestamp": "137131202", "oauth_nonce": "chapoH",
        ]

        let base = OAuth1.signatureBase(
            .get, "http://photos.example.net/photos?file=vacation.jpg&size=original", parameters.pairs)

        #expect(oauth.signature(of: base) == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
    }

    @Test func `the base string of RFC 5849 section 3.4.1 comes out, with its repeated and empty parameters`() {
        let parameters: FormFields = [
            "oauth_consumer_key": "9djdj82h48djs9d2", "oauth_token": "kkk9d7dh3k39sjv7",
            "oauth_signature_method": "HMAC-SHA1", "oauth_timestamp": "137131201", "oauth_nonce": "7d8f3e4a",
            "c2": "", "a3": "2 q",
        ]

        let base = OAuth1.signatureBase(
            .post, "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", parameters.pairs)

        #expect(
            base == """
                POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26\
                c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26\
                oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7
                """)
    }

    @Test(arguments: [
        ("HTTPS://Api.X.com/2/tweets", "https://api.x.com/2/tweets"),
        ("https://api.x.com:443/2/tweets", "https://api.x.com/2/tweets"),
        ("http://api.x.com:443/2/tweets", "http://api.x.com:443/2/tweets"),
        ("http://127.0.0.1:9102/2/tweets", "http://127.0.0.1:9102/2/tweets"),
        ("https://api.x.com", "https://api.x.com/"),
        ("https://api.x.com?a=b#c", "https://api.x.com/"),
    ])
    func `the address is signed without its query, default port and capitals`(url: String, signed: String) {
        let base = OAuth1.signatureBase(.get, url, [])

        #expect(base.split(separator: "&")[1] == PercentEncoding.encode(signed))
    }

    @Test func `names are sorted by their encoded bytes, equal ones by their values`() {
        let parameters: FormFields = ["z": "1", "a": "2", "a": "10", "é": "x", "a!": "y", "A": "b"]

        let base = OAuth1.signatureBase(.get, "https://api.x.com/", parameters.pairs)

        #expect(
            base.split(separator: "&").last.flatMap { PercentEncoding.decode($0) }
                == "%C3%A9=x&A=b&a=10&a=2&a%21=y&z=1")
    }

    @Test func `nonces are 32 digits and differ`() {
        let nonces = Set((0..<100).map { _ in TwitterSubmitter.randomNonce() })

        #expect(nonces.count == 100)
        #expect(nonces.allSatisfy { $0.count == 32 })
    }
}
