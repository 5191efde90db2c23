import Domain
import Foundation
import Postgres
import Testing

@testable import Store

/// Days of galleries: by the camera's clock, else by the owner's.
@Suite(.timeLimit(.minutes(5)))
struct GalleryDayTests {
    @Test func `each photo is on one day, that of its camera where it is known, and pages lead through the day`()
        async throws
    {
        try await withStore { bench in
            var photos: [(id: PhotoID, day: String)] = []
            for (time, offset, day) in [
                // The owner's clock is an hour ahead of UTC.
                ("2024-03-09T22:59:59Z", nil, "2024-03-09"), ("2024-03-09T23:00:00Z", nil, "2024-03-10"),
                ("2024-03-10T22:59:59Z", nil, "2024-03-10"), ("2024-03-10T23:00:00Z", nil, "2024-03-11"),
                ("2024-03-09T15:00:00Z", 540, "2024-03-10"), ("2024-03-09T14:59:59Z", 540, "2024-03-09"),
                ("2024-03-10T08:00:00Z", -480, "2024-03-10"), ("2024-03-11T07:59:59Z", -480, "2024-03-10"),
                ("2024-03-11T08:00:00Z", -480, "2024-03-11"), ("2024-03-10T12:00:00Z", nil, "2024-03-10"),
                ("2024-03-10T04:00:00Z", 540, "2024-03-10"),
            ] as [(String, Int?, String)] {
                let moment = try Date(time, strategy: .iso8601)
                var photo = NewPhoto.sample(of: bench.owner.id, takenAt: moment)
                photo.takenOffset = offset
                try await bench.store.create(photo, submissions: [])
                photos.append((photo.id, day))
            }
            try await bench.database.change("UPDATE users SET has_gallery = true, time_zone = 'Europe/Berlin'")
            let gallery = try await bench.store.gallery(named: bench.owner.name)

            for day in ["2024-03-09", "2024-03-10", "2024-03-11"] {
                var seen: [PhotoID] = []
                repeat {
                    let page = try await bench.store.galleryDay(of: gallery, day, after: seen.last, limit: 2)
                    seen += page.map(\.photo.id)
                    if page.count < 2 { break }
                } while true

                #expect(Set(seen) == Set(photos.filter { $0.day == day }.map(\.id)), "\(day)")
                #expect(seen.count == Set(seen).count)
            }
            let order = try await bench.store.galleryDay(of: gallery, "2024-03-10", after: nil, limit: 60).map(\.photo)
            // As clocks showed it: 00:00, 00:00, 00:00, 13:00, 13:00, 23:59:59, 23:59:59.
            #expect(
                order.map(\.takenOffset).suffix(2).contains(-480) && Set(order[3...4].map(\.takenOffset)) == [nil, 540])
            let (days, years) = try await bench.store.galleryYear(of: gallery, year: 2024)
            #expect(days.map(\.day) == [69, 70, 71] && days.map(\.count) == [2, 7, 2])
            #expect(days[1].first.photo.id == order.first?.id)
            #expect(years == GalleryYears(first: 2024, last: 2024))
        }
    }

    @Test func `a gallery has as many days as its calendar shows`() async throws {
        try await withStore { bench in
            for (time, offset) in [
                ("2024-05-01T23:30:00Z", nil), ("2024-05-01T23:45:00Z", 60), ("2024-05-02T10:00:00Z", nil),
                ("2024-05-03T00:10:00Z", -60),
            ] as [(String, Int?)] {
                var photo = NewPhoto.sample(of: bench.owner.id, takenAt: try Date(time, strategy: .iso8601))
                photo.takenOffset = offset
                try await bench.store.create(photo, submissions: [])
            }
            try await bench.database.change("UPDATE users SET has_gallery = true, time_zone = 'UTC'")
            let gallery = try await bench.store.gallery(named: bench.owner.name)

            let days = try await bench.store.galleryYear(of: gallery, year: 2024).days

            // By the owner's clock alone there would be three: the 1st, the 2nd and the 3rd.
            #expect(days.map(\.day) == [122, 123])
            #expect(try await bench.store.galleryFacts(of: gallery).counts.days == 2)
        }
    }

    @Test func `a photo of somebody else is no place in a day`() async throws {
        try await withStore { bench in
            let taken = try Date("2024-05-01T12:00:00Z", strategy: .iso8601)
            let own = NewPhoto.sample(of: bench.owner.id, takenAt: taken)
            try await bench.store.create(own, submissions: [])
            let stranger = try await bench.store.addUser("stranger").id
            let foreign = NewPhoto.sample(of: stranger, takenAt: taken.addingTimeInterval(3600))
            try await bench.store.create(foreign, submissions: [])
            try await bench.database.change("UPDATE users SET has_gallery = true, time_zone = 'UTC'")
            let gallery = try await bench.store.gallery(named: bench.owner.name)

            let page = try await bench.store.galleryDay(of: gallery, "2024-05-01", after: foreign.id, limit: 9)

            // What is behind an unknown place begins with the day.
            #expect(page.map(\.photo.id) == [own.id])
        }
    }

    @Test func `years begin and end by the clocks of cameras`() async throws {
        try await withStore { bench in
            for (time, offset) in [("2023-12-31T15:00:00Z", 540), ("2025-01-01T05:00:00Z", -480)] {
                var photo = NewPhoto.sample(of: bench.owner.id, takenAt: try Date(time, strategy: .iso8601))
                photo.takenOffset = offset
                try await bench.store.create(photo, submissions: [])
            }
            try await bench.database.change("UPDATE users SET has_gallery = true, time_zone = 'UTC'")
            let gallery = try await bench.store.gallery(named: bench.owner.name)

            #expect(
                try await bench.store.galleryYear(of: gallery, year: 2024).years
                    == GalleryYears(first: 2024, last: 2024))
        }
    }
}
