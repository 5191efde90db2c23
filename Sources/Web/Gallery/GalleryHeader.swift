internal import Domain
internal import HTTP
internal import Store

/// Whose gallery it is, above all its pages; with `facts`, on its first page, also what they say of themselves and what there is.
struct GalleryHeader {
    let frame: GalleryFrame
    let tab: GalleryFrame.Tab?
    let facts: GalleryFacts?

    private var person: Person { frame.gallery.person }
    private var say: Language { frame.language }

    var html: HTML {
        """
        <div class="whose h-card\(facts == nil ? .nothing : " whole" as HTML)">
        \(Avatar(person).html())
        <div class="who">
        <p class="name"><a class="p-name u-url u-uid" href="\(frame.base)\(frame.address.photos)"><bdi>\(person.displayName)</bdi></a></p>
        \(facts.map(counts) ?? .nothing)</div>
        <nav aria-label="\(say(.galleryParts))"><ul class="places">
        \(HTML.join(GalleryFrame.Tab.allCases.map(link)))</ul></nav>
        \(facts == nil ? .nothing : own)</div>
        \(facts.map(tags) ?? .nothing)
        """
    }

    private func link(_ each: GalleryFrame.Tab) -> HTML {
        let (path, phrase): (String, Phrase) =
            switch each {
            case .photos: (frame.address.photos, .photos)
            case .days: (frame.address.days, .days)
            case .albums: (frame.address.albums, .albums)
            }
        let current: HTML = each == tab ? " aria-current=\"page\"" : .nothing
        return "<li><a href=\"\(path)\"\(current)>\(say(phrase))</a></li>\n"
    }

    private func counts(_ facts: GalleryFacts) -> HTML {
        let counts = facts.counts
        guard counts.photos > 0 else { return .nothing }
        var parts = [say(.photos(counts.photos, isMore: counts.photos >= GalleryCounts.mostPhotos))]
        if counts.albums > 0 {
            parts.append(say(.albums(counts.albums, isMore: counts.albums >= GalleryCounts.mostAlbums)))
        }
        parts.append(say(.days(counts.days, isMore: counts.days >= GalleryCounts.mostDays)))
        return "<p class=\"facts\">\(parts.joined(separator: " · "))</p>\n"
    }

    /// What they say of themselves.
    private var own: HTML {
        let about: HTML = person.profile.about.map { "<p class=\"about p-note\" dir=\"auto\">\($0)</p>\n" } ?? .nothing
        let links = person.profile.links.map { link -> HTML in
            "<li><a class=\"u-url\" rel=\"me nofollow noopener\" href=\"\(link)\"><bdi>\(Self.short(link))</bdi></a></li>\n"
        }
        let list: HTML = links.isEmpty ? .nothing : "<ul class=\"links\">\n\(HTML.join(links))</ul>\n"
        let edit: HTML =
            frame.isOwner
            ? "<p class=\"edit\"><a class=\"button quiet\" href=\"\(PageHandlers.profilePath)\">\(say(.editProfile))</a></p>\n"
            : .nothing
        let all = HTML.join([about, list, edit])
        return all.markup.isEmpty ? .nothing : "<div class=\"self\">\n\(all)</div>\n"
    }

    private func tags(_ facts: GalleryFacts) -> HTML {
        guard !facts.tags.isEmpty else { return .nothing }
        let links = facts.tags.map { tag -> HTML in
            "<li><a rel=\"tag\" href=\"\(frame.address.tag(tag))\">#<bdi>\(tag)</bdi></a></li>\n"
        }
        return "<ul class=\"tags\" aria-label=\"\(say(.hashtags))\">\n\(HTML.join(links))</ul>\n"
    }

    /// An address without what everybody knows, cut.
    private static func short(_ link: String) -> String {
        var text = Substring(link)
        if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
        if text.hasPrefix("www.") { text = text.dropFirst(4) }
        if text.hasSuffix("/") { text = text.dropLast() }
        return CaptionDocument.cut(String(text), at: 40)
    }
}
