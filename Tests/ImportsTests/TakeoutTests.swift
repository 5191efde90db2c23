import Domain
import Foundation
import Testing

@testable import Imports

/// Google Takeout, by the names that its JSON files are found under.
struct TakeoutTests {
    private static let year = "Takeout/Google Photos/Photos from 2019/"

    private func json(_ title: String, _ more: String = "") -> [UInt8] {
        [UInt8](
            text: """
                {"title": "\(title)", "description": "About \(title)", "photoTakenTime": {"timestamp": "1561974900"},
                 "geoData": {"latitude": 59.5, "longitude": 18.25, "altitude": 0.0}\(more)}
                """)
    }

    @Test(arguments: [
        ("IMG_1.jpg", "IMG_1.jpg.json"),
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-meta.json"),
        ("IMG_1.jpg", "IMG_1.jpg.s.json"),
        ("IMG_1.jpg", "IMG_1.jpg..json"),
        ("IMG_1(2).jpg", "IMG_1.jpg(2).json"),
        ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
        ("IMG_1-edited.jpg", "IMG_1.jpg.supplemental-metadata.json"),
        ("IMG_1-bearbeitet(2).jpg", "IMG_1.jpg(2).json"),
        ("IMG_1-編集済み.jpg", "IMG_1.jpg.json"),
        ("IMG_1.MP4", "IMG_1.HEIC.supplemental-metadata.json"),
        (
            "a_long_name_of_a_photo_that_somebody_has_writte.jpg",
            "a_long_name_of_a_photo_that_somebody_has_writt.json"
        ),
    ])
    func `a file is found by what its JSON file is called`(file: String, sidecar: String) throws {
        let planned = try Planned([(Self.year + file, [1]), (Self.year + sidecar, json("x"))])

        let post = try #require(planned.post(Self.year + file))
        #expect(planned.source == .takeout)
        #expect(post.caption == "About x" && post.photos[0].taken?.date == Date(timeIntervalSince1970: 1_561_974_900))
        #expect(post.visibility == .private && post.position == Position(latitude: 59.5, longitude: 18.25))
        #expect(post.identity == nil && post.album == nil)
    }

    @Test func `an album is a folder whose JSON file has a title, and what is in the bin is left out`() throws {
        let album = "Takeout/Google Fotos/Urlaub/"
        let planned = try Planned(
            [
                (album + "metadata.json", [UInt8](text: #"{"title": "Urlaub am Meer", "access": "protected"}"#)),
                (album + "1.jpg", [1]), (album + "1.jpg.json", json("1")),
                (Self.year + "2.jpg", [2]), (Self.year + "2.jpg.json", json("2", #", "trashed": true"#)),
                (Self.year + "3.jpg", [3]),
                (Self.year + "4.jpg", [3]), (Self.year + "4.jpg.json", [UInt8](text: #"{"photoTakenTime": "#)),
            ].filter { !$0.name.contains("4.") })

        #expect(planned.post(album + "1.jpg")?.album == "Urlaub am Meer")
        #expect(planned.post(Self.year + "2.jpg") == nil && planned.posts.count == 2)
        #expect(planned.post(Self.year + "3.jpg") == ImportItem())
    }
}
