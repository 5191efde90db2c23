internal import Domain
internal import HTTP

/// The query of the page with one's own photos.
struct PhotoQuery {
    /// The names that the page knows, in the order of its form. `year` stands for `since` and `until`.
    static let names = ["q", "tag", "album", "state", "service", "visibility", "year"]

    private let query: FormFields

    init(_ query: FormFields) { self.query = query }

    subscript(_ name: String) -> String { query[name] ?? "" }

    var before: PhotoID? { query["before"].flatMap { PhotoID($0) } }

    var isFiltered: Bool { Self.names.contains { !self[$0].isEmpty } }

    /// The filter in the names of the API.
    var fields: FormFields {
        var fields = FormFields()
        for name in Self.names where name != "year" && !self[name].isEmpty { fields.add(name, self[name]) }
        if let year = Int(self["year"]), (1...9998).contains(year) {
            fields.add("since", Self.newYear(year))
            fields.add("until", Self.newYear(year + 1))
        }
        return fields
    }

    private static func newYear(_ year: Int) -> String {
        let digits = String(year)
        return "\(String(repeating: "0", count: 4 - digits.count))\(digits)-01-01"
    }

    /// The address of the page with older photos.
    func page(before photo: PhotoID) -> String {
        var fields = FormFields()
        for name in Self.names where !self[name].isEmpty { fields.add(name, self[name]) }
        fields.add("before", photo.description)
        return "/?\(fields.encoded)"
    }
}

/// What the filters of one's own photos can choose from.
struct PhotoChoices {
    let albums: [String]
    let services: [(id: String, name: String)]
    /// When the oldest and the newest photo were taken; nil when there is none.
    let years: ClosedRange<Int>?
}

/// Search and filters above one's own photos.
struct PhotoFilterForm {
    let query: PhotoQuery
    let choices: PhotoChoices
    let language: Language

    var html: HTML {
        let say = language
        let filters = [
            choices.albums.isEmpty ? .nothing : select("album", .album, choices.albums.map { ($0, $0) }),
            select("state", .state, Photo.State.allCases.map { ($0.rawValue, say(.state($0))) }),
            choices.services.isEmpty
                ? .nothing : select("service", .service, choices.services.map { ($0.id, $0.name) }),
            select("visibility", .visibility, Visibility.allCases.map { ($0.rawValue, say(.visibility($0))) }),
            choices.years.map { years in
                select("year", .yearOfPhoto, years.reversed().prefix(200).map { ("\($0)", say(.year($0))) })
            } ?? .nothing,
        ]
        let isOpen = PhotoQuery.names.contains { $0 != "q" && !query[$0].isEmpty }
        let tag: HTML =
            query["tag"].isEmpty
            ? .nothing : "<input type=\"hidden\" name=\"tag\" value=\"\(query["tag"])\">\n"
        let clear: HTML =
            query.isFiltered ? "<a href=\"/\">\(say(.clearFilters))</a>\n" : .nothing
        return """
            <form class="find" role="search" action="/">
            <div class="words"><input type="search" name="q" value="\(query["q"])" maxlength="300" \
            aria-label="\(say(.searchInPhotos))" placeholder="\(say(.search))"><button class="quiet">\(say(.search))</button></div>
            \(tag)<details\(isOpen ? " open" : "")><summary>\(say(.filters))</summary>
            <div class="choices">
            \(HTML.join(filters))<button>\(say(.showPhotos))</button>
            </div>
            </details>
            \(clear)</form>

            """
    }

    private func select(_ name: String, _ title: Phrase, _ values: [(String, String)]) -> HTML {
        let chosen = query[name]
        let options = values.map { value, text -> HTML in
            "<option value=\"\(value)\"\(value == chosen ? " selected" : "")>\(text)</option>\n"
        }
        return """
            <label>\(language(title))
            <select name="\(name)"><option value="">\(language(.all))</option>
            \(HTML.join(options))</select></label>

            """
    }
}
