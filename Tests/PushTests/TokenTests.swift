import Crypto
import Foundation
import Testing

@testable import Push

/// What tells a push service who sends.
struct TokenTests {
    @Test func `the signed part of a token is that of RFC 8292's example`() {
        let content = ServerKey.content(
            for: "https://push.example.net", contact: "mailto:push@example.com",
            expires: Date(timeIntervalSince1970: 1_453_523_768))

        #expect(
            content
                == """
                eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6\
                Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0
                """)
    }
}
