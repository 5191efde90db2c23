internal import Formats
internal import HTTP

/// The redirect addresses that the page of an app names, by `rel="redirect_uri"` (IndieAuth, section 4.2.2).
///
/// A page is whatever its server wants it to be.
enum RedirectLinks {
    /// The `href` of each `link` element.
    static func inPage(_ page: [UInt8]) -> [String] {
        var links: [String] = []
        HTMLDocument(page).root.forEach { element in
            guard element.name == "link", Link.names(relation, in: element.attributes["rel"] ?? ""),
                let href = element.attributes["href"],
                !href.isEmpty
            else { return }
            links.append(href)
        }
        return links
    }

    /// The targets in the values of `Link` fields.
    static func inFields(_ values: [String]) -> [String] { Link.targets(in: values, rel: relation) }

    private static let relation = "redirect_uri"
}
