internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// The months of a year with what is there of each day, the newest month first; months that have not begun are left out.
struct YearCalendar {
    let year: GalleryYear
    let days: [GalleryDay]
    let frame: GalleryFrame
    let addresses: Addresses
    let week: WeekStart

    private var say: Language { frame.language }

    var html: HTML {
        let byDay = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
        let last = days.last?.day ?? 0
        let begun = year.months.indices.filter { firstDay(of: $0) < max(year.begun, last, 1) }
        return HTML.join(begun.reversed().map { month($0, byDay) })
    }

    private func month(_ index: Int, _ byDay: [Int: GalleryDay]) -> HTML {
        let first = firstDay(of: index)
        let cells = (1...year.months[index]).map { day in
            cell(first + day, day, byDay[first + day], column: day == 1 ? week.column(of: year.offsets[index]) : nil)
        }
        // Links say their weekday themselves.
        let weekdays = week.days.map { day -> HTML in "<span>\(say(.shortWeekday(day)))</span>" }
        return """
            <section class="month" aria-labelledby="month-\(index + 1)">
            <h2 id="month-\(index + 1)">\(say(.month(index + 1, of: year.year)))</h2>
            <p class="weekdays" aria-hidden="true">\(HTML.join(weekdays))</p>
            <ol>
            \(HTML.join(cells))</ol>
            </section>

            """
    }

    private func firstDay(of month: Int) -> Int { year.months[..<month].reduce(0, +) }

    /// A day with its first photo, if there is one; `number` is that of the year, `date` of the month, and `column` that of the week,
    /// from 1, where the month begins.
    private func cell(_ number: Int, _ date: Int, _ day: GalleryDay?, column: Int?) -> HTML {
        let begins: HTML = column.map { " c\($0)" } ?? .nothing
        guard let day else {
            let kind: HTML = number > year.begun ? "ahead" : "gap"
            return "<li class=\"\(kind)\(begins)\">\(date)</li>\n"
        }
        let isMore = day.count >= GalleryDay.mostCounted
        let label = say(.dayLabel(say(year.phrase(ofDay: number, say)), photos: day.count, isMore: isMore))
        let target =
            day.count == 1 ? addresses.shortURL(day.first.photo.code) : frame.address.day(year.text(ofDay: number))
        var thumbnail = Thumbnail(day.first.photo, isEager: false)
        thumbnail.kind = .nothing
        thumbnail.isHidden = true
        thumbnail.base = addresses.mediaPrefix(of: day.first.photo)
        let covered: HTML = day.first.photo.labels.isSensitive ? " covered" : .nothing
        let count: HTML =
            day.count > 1
            ? "<span class=\"badge\" aria-hidden=\"true\">\(day.count)\(isMore ? "+" : "")</span>" : .nothing
        let place = say(.dayOfYear(number, of: year.days))
        return """
            <li class="has\(covered)\(begins)"><a href="\(target)" title="\(label) · \(place)">\(thumbnail.html)\
            <span class="number" aria-hidden="true">\(date)</span>\(count)\
            <span class="quietly">\(label), \(place)</span></a></li>

            """
    }
}

extension GalleryYear {
    /// The weekday of a day of the year, from 0, Monday.
    func weekday(ofDay day: Int) -> Int {
        let date = date(ofDay: day)
        return (offsets[date.month - 1] + date.day - 1) % 7
    }

    /// A day of the year with its weekday.
    func phrase(ofDay day: Int, _ say: Language) -> Phrase {
        let noon = Timestamp("\(text(ofDay: day))T12:00:00Z")?.date ?? Date(timeIntervalSince1970: 0)
        return .day(say.day(noon, in: .utc), weekday: weekday(ofDay: day))
    }
}

/// The first day of the week: Monday (ISO 8601), but Sunday in Japan and where English is spoken in countries that begin with it.
///
/// Source: Unicode CLDR 46, supplemental data, `weekData`.
enum WeekStart: Equatable {
    case monday
    case sunday

    private static let sundays: Set<String> = ["ja", "en-US", "en-CA", "en-IN", "en-PH", "en-SG", "en-ZA"]

    /// What the language of a browser says, with its country.
    init(_ request: HTTPRequest) { self.init(accepting: request.fields["Accept-Language"]) }

    init(accepting field: String?) {
        let offers = Language.allCases.map(\.rawValue) + Self.sundays.filter { $0.contains("-") }.sorted()
        let found = field.flatMap { AcceptedLanguages($0).lookUp(offers) } ?? Language.english.rawValue
        self = Self.sundays.contains(found) ? .sunday : .monday
    }

    /// Of a week in its order, each from 0, Monday.
    var days: [Int] { self == .monday ? Array(0..<7) : [6] + Array(0..<6) }

    /// The column, from 1, of a weekday.
    func column(of weekday: Int) -> Int { (weekday + (self == .monday ? 0 : 1)) % 7 + 1 }
}
