import Domain
import Foundation
import Testing

@testable import Web

struct ProblemWordsTests {
    @Test(arguments: ProblemCode.allCases.filter { $0 != .other })
    func `every code has words in every language`(code: ProblemCode) {
        for phase in [ProblemParameters.Phase?.none, .connecting, .asking] {
            var problem = Problem(code, ProblemParameters(service: "Flickr", until: Date(timeIntervalSince1970: 0)))
            problem.parameters.phase = phase
            let phrase = Phrase(problem)

            #expect(phrase.told == nil)
            #expect(Language.english(phrase).hasSuffix(".") || phrase.english.contains("Flickr"))
            #expect(Language.japanese(phrase).unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) })
        }
    }

    @Test func `a limit tells until when, and a text of an earlier release stays as it is`() {
        let limit = Problem(
            .rateLimited, ProblemParameters(service: "Flickr", until: Date(timeIntervalSince1970: 1_763_754_300)))

        #expect(
            Language.english(Phrase(limit))
                == "Flickr's rate limit was reached. Retrying at 21 November 2025, 19:45 UTC.")
        #expect(Language.japanese(Phrase(limit)) == "Flickr の利用制限に達しました。2025年11月21日 19:45（UTC）に再試行します。")
        #expect(
            Language.japanese.marked(Phrase(.other("Old <words>."))).markup
                == "<bdi lang=\"en\">Old &lt;words&gt;.</bdi>")
    }
}
