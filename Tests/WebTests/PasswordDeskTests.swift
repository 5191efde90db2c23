import Domain
import Testing

@testable import Web

struct PasswordDeskTests {
    @Test func `who has signed in before finds room while strangers guess`() {
        let desk = PasswordDesk()
        defer { desk.stop() }

        let strangers = (0..<100).filter { desk.enter(.stranger("203.0.113.\($0)")) }.count
        let known = (0..<100).filter { _ in desk.enter(.known(.make())) }.count

        #expect(strangers == PasswordDesk.mostOfStrangers)
        #expect(known == PasswordDesk.mostUnderWay - PasswordDesk.mostOfStrangers)
        desk.leave(.stranger("203.0.113.0"))
        #expect(desk.enter(.stranger("203.0.113.200")))
        #expect(!desk.enter(.known(.make())))
    }

    @Test func `one person who sends passwords without end leaves room for others`() {
        let desk = PasswordDesk()
        defer { desk.stop() }
        let (one, other) = (PasswordDesk.Person.known(.make()), PasswordDesk.Person.known(.make()))

        let places = (0..<100).filter { _ in desk.enter(one) }.count

        #expect(places == PasswordDesk.mostOfPerson)
        #expect(desk.enter(other) && desk.enter(.stranger("203.0.113.7")))
        desk.leave(one)
        #expect(desk.enter(one) && !desk.enter(one))
    }
}
