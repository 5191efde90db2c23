internal import Domain
internal import FoundationEssentials
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
                \(YearCalendar(year: year, days: days, frame: frame, addresses: addresses, week: WeekStart(request)).html)</div>
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
        let date = language(year.phrase(ofDay: day, language))
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
