import Domain
import Testing

@testable import Actions

struct PasswordDeskTests {
    @Test func `who has signed in before finds room while strangers guess`() {
        let hasher = PasswordHasher()
        defer { hasher.stop() }

        let strangers = (0..<100).filter { hasher.enter(.anonymous("203.0.113.\($0)")) }.count
        let known = (0..<100).filter { _ in hasher.enter(.known(.make())) }.count

        #expect(strangers == PasswordHasher.mostOfAnonymous)
        #expect(known == PasswordHasher.mostUnderWay - PasswordHasher.mostOfAnonymous)
        hasher.leave(.anonymous("203.0.113.0"))
        #expect(hasher.enter(.anonymous("203.0.113.200")))
        #expect(!hasher.enter(.known(.make())))
    }

    @Test func `one person who sends passwords without end leaves room for others`() {
        let hasher = PasswordHasher()
        defer { hasher.stop() }
        let (one, other) = (PasswordHasher.Requester.known(.make()), PasswordHasher.Requester.known(.make()))

        let places = (0..<100).filter { _ in hasher.enter(one) }.count

        #expect(places == PasswordHasher.mostOfOne)
        #expect(hasher.enter(other) && hasher.enter(.anonymous("203.0.113.7")))
        hasher.leave(one)
        #expect(hasher.enter(one) && !hasher.enter(one))
    }
}
