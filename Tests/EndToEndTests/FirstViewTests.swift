import Foundation
import HTTP
import TestPics
import Testing

struct FirstViewTests {
    @Test(.timeLimit(.minutes(10)))
    func `a storm of first views makes each picture once`() async throws {
        try await withPics { pics in
            let photo = try JSONValue(parsing: try await pics.post(CameraPhoto.jpeg(), caption: "boats").body)
            let code = try #require(photo["code"]?.string)
            let pictures = ["large.avif", "large.webp", "medium.avif"]

            let answers = try await withThrowingTaskGroup(of: (String, IncomingResponse).self) { group in
                for number in 0..<48 {
                    let picture = pictures[number % pictures.count]
                    group.addTask { (picture, try await pics.ask(.get, "/m/\(code)/\(picture)")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.allSatisfy { $0.1.status == .ok })
            for picture in pictures {
                #expect(Set(answers.filter { $0.0 == picture }.map(\.1.body)).count == 1)
                let made = pics.process.logged.split(separator: "\n").count {
                    $0.contains("pictures made") && $0.contains(picture)
                }
                #expect(made == 1, "\(picture)")
            }
        }
    }
}
