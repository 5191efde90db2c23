import Foundation
import Testing

/// `docs/security.md` names a test for each attack.
struct SecurityPageTests {
    @Test func `every test that docs_security names is there`() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let page = try String(contentsOfFile: "\(root)/docs/security.md", encoding: .utf8)

        let named = page.matches(of: #/\| `([A-Za-z]+/[A-Za-z/]+)`: ([^|\n]+) \|/#)

        #expect(named.count >= 35)
        // Each row of a table has one.
        #expect(named.count == page.matches(of: #/(?m)^\| (?!attack)/#).count)
        for name in named {
            let source = try String(contentsOfFile: "\(root)/Tests/\(name.1).swift", encoding: .utf8)
            #expect(source.contains("func `\(name.2)`("), "\(name.1): \(name.2)")
        }
    }
}
