internal import Domain
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    private static let dayPageLength = 60

    /// `GET /u/{name}/days/{year}`: a calendar in which each day has its first photo, and gaps are seen.
    func yearPage(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let zone = frame.gallery.timeZone
        guard let number = request.parameters["year"].flatMap({ Int($0) }), let year = GalleryYear(number, in: zone)
        else {
            throw StoreError.notFound
        }
        let (days, years) = try await store.galleryYear(of: frame.gallery, year: number)
        // The present year is there before its first photo.
        let present = GalleryYear.present(in: zone)
        guard !days.isEmpty || number == present || years.map({ $0.first...$0.last ~= number }) == true else {
            throw StoreError.notFound
        }
        let last = max(years?.last ?? number, present)
        let before = years.map { $0.first < number } == true ? frame.address.days(of: number - 1) : nil
        let after = number < last ? frame.address.days(of: number + 1) : nil
        let language = frame.language
        func button(_ relation: String, _ path: String?, _ year: Int) -> HTML {
            PageLinks.button(relation, path, language(.year(year)))
        }
        return frame.page(
            language(.year(number)), at: frame.address.days(of: number), on: .days,
            links: [PageLinks.link("prev", before), PageLinks.link("next", after)],
            content: """
                <h1>\(language(.year(number)))</h1>
                <p class="facts">\(language(.daysWithPhotos(days.count, of: year.days)))</p>
                <div class="year">
                \(YearCalendar(year: year, days: days, frame: frame, addresses: addresses).html)</div>
                <nav class="pages" aria-label="\(language(.pages))">
                \(button("prev", before, number - 1))\(button("next", after, number + 1))</nav>

                """
        ).shared(with: request)
    }

    /// `GET /u/{name}/day/{day}`: the photos of a day such as `2026-12-31` by the owner's clock, as they were taken; with
    /// `?after=` those behind a photo.
    func dayPage(_ request: HTTPRequest, _ frame: GalleryFrame) async throws -> HTTPResponse {
        let text = request.parameters["day"] ?? ""
        guard let (year, day) = GalleryYear.day(text, in: frame.gallery.timeZone) else { throw StoreError.notFound }
        let after = request.query["after"].flatMap { PhotoID($0) }
        let photos = try await store.galleryDay(of: frame.gallery, text, after: after, limit: Self.dayPageLength + 1)
        let shown = Array(photos.prefix(Self.dayPageLength))
        guard !shown.isEmpty else { throw StoreError.notFound }
        let path = frame.address.day(text)
        let next = photos.count > shown.count ? shown.last.map { "\(path)?after=\($0.photo.id)" } : nil
        let language = frame.language
        let date = language.day(YearCalendar.noon(year, day), in: .gmt)
        let place = language(.dayOfYear(day, of: year.days))
        let own = after.map { "\(path)?after=\($0)" } ?? path
        return frame.page(
            date, at: own, on: .days, links: [PageLinks.link("next", next)],
            content: """
                \(PhotoGrid(frame, shown).html(date, at: own, facts: "<p class=\"facts\">\(place)</p>\n", addresses))\
                <nav class="pages" aria-label="\(language(.pages))">
                <a class="button quiet" href="\(frame.address.days(of: year.year))">\(language(.year(year.year)))</a>
                \(PageLinks.button("next", next, language(.laterThatDay)))</nav>

                """
        ).shared(with: request)
    }
}

/// The months of a year with what is there of each day.
struct YearCalendar {
    let year: GalleryYear
    let days: [GalleryDay]
    let frame: GalleryFrame
    let addresses: Addresses

    var html: HTML {
        let byDay = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
        var day = 0
        let months = year.months.enumerated().map { index, length -> HTML in
            let cells = (1...length).map { _ -> HTML in
                day += 1
                return cell(day, byDay[day], column: day - 1 == firstDay(of: index) ? year.offsets[index] + 1 : nil)
            }
            return """
                <section class="month">
                <h2>\(frame.language(.month(index + 1)))</h2>
                <ol>
                \(HTML.join(cells))</ol>
                </section>

                """
        }
        return HTML.join(months)
    }

    private func firstDay(of month: Int) -> Int { year.months[..<month].reduce(0, +) }

    /// A day with its first photo, if there is one; `column` is that of the week, from 1, where the month begins.
    private func cell(_ number: Int, _ day: GalleryDay?, column: Int?) -> HTML {
        let begins: HTML = column.map { " c\($0)" } ?? .nothing
        guard let day else {
            let kind: HTML = number > year.begun ? "ahead" : "gap"
            return "<li class=\"\(kind)\(begins)\">\(number)</li>\n"
        }
        let isMore = day.count >= GalleryDay.mostCounted
        let date = frame.language.day(Self.noon(year, number), in: .gmt)
        let label = frame.language(.dayLabel(date, photos: day.count, isMore: isMore))
        let target =
            day.count == 1 ? addresses.shortURL(day.first.photo.code) : frame.address.day(year.text(ofDay: number))
        var thumbnail = Thumbnail(day.first.photo, isEager: false)
        thumbnail.kind = .nothing
        let count: HTML =
            day.count > 1
            ? "<span class=\"badge\" aria-hidden=\"true\">\(day.count)\(isMore ? "+" : "")</span>" : .nothing
        let place = frame.language(.dayOfYear(number, of: year.days))
        return """
            <li class="has\(begins)"><a href="\(target)" title="\(label) · \(place)">\(thumbnail.html)\
            <span class="number" aria-hidden="true">\(number)</span>\(count)\
            <span class="quietly">\(label), \(place)</span></a></li>

            """
    }

    /// A moment of a day for those who write its date in UTC.
    static func noon(_ year: GalleryYear, _ day: Int) -> Date {
        Timestamp("\(year.text(ofDay: day))T12:00:00Z")?.date ?? Date(timeIntervalSince1970: 0)
    }
}
