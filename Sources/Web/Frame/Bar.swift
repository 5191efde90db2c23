internal import Domain

/// The bar of somebody who has signed in: the ways to the parts of Pics.
struct Bar {
    /// A part of Pics.
    enum Place: CaseIterable {
        case photos
        case new
        case activity
        case settings
        case status

        fileprivate var path: String {
            switch self {
            case .photos: "/"
            case .new: "/new"
            case .activity: "/activity"
            case .settings: "/settings"
            case .status: "/status"
            }
        }

        fileprivate var title: Phrase {
            switch self {
            case .photos: .photos
            case .new: .newPhoto
            case .activity: .activity
            case .settings: .settings
            case .status: .status
            }
        }

        /// The path data of its picture, drawn with lines in a square of 24.
        fileprivate var picture: HTML {
            switch self {
            case .photos: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4"
            case .new: "M12 5v14M5 12h14"
            case .activity: "M3 12h4l3-7 4 14 3-7h4"
            case .settings: "M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4"
            case .status: "M4 19V11M10 19V5M16 19v-9M22 19H2"
            }
        }
    }

    let caller: SignedInUser
    /// Where the page is; nil where it is in none of these parts.
    let place: Place?

    init(_ caller: SignedInUser, at place: Place? = nil) { (self.caller, self.place) = (caller, place) }

    var html: HTML {
        let say = caller.language
        let links = Place.allCases.filter { $0 != .status || caller.user.isAdmin }.map { each -> HTML in
            let current: HTML = each == place ? " aria-current=\"page\"" : .nothing
            return """
                <li><a href="\(each.path)"\(current)><svg viewBox="0 0 24 24" aria-hidden="true"><path d="\(each.picture)"/></svg>\
                <span>\(say(each.title))</span></a></li>

                """
        }
        return HTML.join([
            "<nav class=\"bar\" aria-label=\"Pics\" data-user=\"\(caller.user.name)\"><ul>\n\(HTML.join(links))</ul></nav>",
            "<p class=\"update\" role=\"status\" data-update hidden>\(say(.wasUpdated)) <a href=\"\">\(say(.reload))</a></p>",
        ])
    }
}
