/// A way from one part of a page to another.
struct Tab {
    let path: String
    let phrase: Phrase
    /// Shown beside it; 0: none.
    let count: Int

    init(_ path: String, _ phrase: Phrase, count: Int = 0) {
        (self.path, self.phrase, self.count) = (path, phrase, count)
    }
}

/// Ways between parts of a page, of which one is shown.
struct Tabs {
    private let label: Phrase
    private let tabs: [Tab]
    private let place: String

    /// `place` is the path of the tab that is shown.
    init(_ label: Phrase, _ tabs: [Tab], at place: String) {
        (self.label, self.tabs, self.place) = (label, tabs, place)
    }

    /// The ways between one's posts, what came back to them, and what others post.
    static func activity(at place: String, unread: Int = 0) -> Tabs {
        Tabs(
            .activity,
            [
                Tab("/activity", .posts), Tab(PageHandlers.responsesPath, .responses, count: unread),
                Tab(PageHandlers.timelinePath, .following),
            ], at: place)
    }

    func html(_ say: Language) -> HTML {
        let links = tabs.map { tab -> HTML in
            let current: HTML = tab.path == place ? " aria-current=\"page\"" : .nothing
            let count: HTML = tab.count > 0 ? " <small>\(tab.count > 99 ? "99+" : "\(tab.count)")</small>" : .nothing
            return "<a class=\"button quiet\" href=\"\(tab.path)\"\(current)>\(say(tab.phrase))\(count)</a>\n"
        }
        return "<nav class=\"tabs\" aria-label=\"\(say(label))\">\n\(HTML.join(links))</nav>\n"
    }
}
