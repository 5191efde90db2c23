internal import Actions
internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import Store
internal import System

/// What somebody says of themselves to everybody.
extension PageHandlers {
    static let profilePath = "/settings/profile"
    /// The newest public photos that can be chosen at a glance; others by their links.
    private static let pictureChoices = 23

    func showPublicProfile(_ request: HTTPRequest, _ caller: SignedInUser) async throws -> HTTPResponse {
        let notice: Notice? =
            switch request.query["done"] {
            case "profile": .done(.profileIsSaved)
            case "picture": .done(.pictureIsSaved)
            default: nil
            }
        return try await publicProfilePage(caller, notice: notice)
    }

    func saveProfile(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse {
        let entered = Profile(
            displayName: form["display_name"], about: form["about"],
            links: Array(form.values("link").prefix(2 * Profile.mostLinks)))
        let profile: Profile
        do throws(Profile.Mistake) {
            profile = try Profile.read(
                displayName: entered.displayName ?? "", about: entered.about ?? "", links: entered.links)
        } catch {
            return try await publicProfilePage(
                caller, entered: entered, notice: .failed(error.phrase), status: .unprocessableContent)
        }
        try await store.setProfile(profile, of: caller.user.id)
        return .seeOther("\(Self.profilePath)?done=profile")
    }

    func choosePicture(_ request: HTTPRequest, _ form: FormFields, _ caller: SignedInUser) async throws -> HTTPResponse
    {
        func refuse() async throws -> HTTPResponse {
            try await publicProfilePage(caller, notice: .failed(.pictureMistake), status: .unprocessableContent)
        }
        let link = (form["link"] ?? "").filter { !$0.isWhitespace }
        let chosen = form["picture"] ?? ""
        var code: ShortCode?
        if !link.isEmpty {
            guard let found = ShortCode(link) ?? self.code(of: link) else { return try await refuse() }
            code = found
        } else if !chosen.isEmpty {
            guard let found = ShortCode(chosen) else { return try await refuse() }
            code = found
        }
        do throws(StoreError) { try await store.setPicture(code, of: caller.user.id) } catch {
            guard error == .notFound else { throw error }
            return try await refuse()
        }
        return .seeOther("\(Self.profilePath)?done=picture")
    }

    private func publicProfilePage(
        _ caller: SignedInUser, entered: Profile? = nil, notice: Notice? = nil, status: HTTPStatus = .ok
    ) async throws -> HTTPResponse {
        let say = caller.language
        let person = try await store.person(caller.user.id)
        let profile = entered ?? person.profile
        let photos = try await store.galleryPhotos(of: caller.user.id, limit: Self.pictureChoices)
        let links = (0..<Profile.mostLinks).map { place -> HTML in
            let link = place < profile.links.count ? profile.links[place] : ""
            return """
                <label><span class="quietly">\(say(.link(place + 1)))</span>
                <input name="link" type="text" inputmode="url" value="\(link)" maxlength="500" autocomplete="url" \
                autocapitalize="none" spellcheck="false"></label>

                """
        }
        return settingsPage(
            Self.profilePath, caller, notice: notice, status: status,
            """
            <p class="facts">\(say(.whereProfileIsShown))</p>
            <form class="form" method="post" action="\(Self.profilePath)">
            \(caller.formInput)\(HTML.field(
                say(.displayName), name: "display_name",
                "value=\"\(profile.displayName ?? "")\" maxlength=\"100\" autocomplete=\"name\" dir=\"auto\"",
                hint: say(.displayNameHint)))<label>\(say(.about))
            <textarea name="about" rows="4" maxlength="500" dir="auto">\n\(profile.about ?? "")</textarea>
            <small>\(say(.aboutHint))</small></label>
            <fieldset><legend>\(say(.links))</legend>
            <small>\(say(.linksHint))</small>
            \(HTML.join(links))</fieldset>
            <button>\(say(.keep))</button>
            </form>
            <h2>\(say(.yourPicture))</h2>
            <form class="form covers" method="post" action="\(Self.profilePath)/picture">
            \(caller.formInput)\(pictureChoices(person, photos, say))<small>\(say(.pictureHint))</small>
            \(HTML.field(
                say(.linkOfAnother), name: "link", "type=\"text\" inputmode=\"url\" maxlength=\"500\" autocapitalize=\"none\" spellcheck=\"false\""))\
            <button>\(say(.keep))</button>
            </form>

            """)
    }

    private func pictureChoices(_ person: Person, _ photos: [PhotoView], _ say: Language) -> HTML {
        let suited = photos.map(\.photo).filter { $0.kind == .photo && $0.previewSize != nil }
        // One that was chosen long ago is not among the newest.
        let isAmong = person.picture.map { picture in suited.contains { $0.code == picture.code } } ?? true
        let current: HTML =
            isAmong
            ? .nothing
            : PictureChoice(
                name: "picture", value: person.picture?.code.description ?? "", isChosen: true,
                label: say(.yourPicture), picture: Avatar(person).html()
            ).html
        let initials = PictureChoice(
            name: "picture", value: "", isChosen: person.picture == nil, label: say(.initials),
            picture: Avatar(name: person.displayName).html())
        let choices = suited.map { photo in
            PictureChoice(photo, name: "picture", isChosen: photo.code == person.picture?.code, say).html
        }
        let none: HTML = suited.isEmpty ? "<p class=\"facts\">\(say(.noPublicPhotos))</p>\n" : .nothing
        return """
            <fieldset class="choices"><legend class="quietly">\(say(.yourPicture))</legend>
            \(initials.html)\(current)\(HTML.join(choices))</fieldset>
            \(none)
            """
    }
}

extension Profile.Mistake {
    fileprivate var phrase: Phrase {
        switch self {
        case .displayName: .displayNameMistake
        case .about: .aboutMistake
        case .link(let link): .linkMistake(CaptionDocument.cut(link, at: 60))
        case .tooManyLinks: .tooManyLinks
        }
    }
}

/// A picture that can be chosen among others.
struct PictureChoice {
    let name: String
    let value: String
    let isChosen: Bool
    let label: String
    let picture: HTML

    init(name: String, value: String, isChosen: Bool, label: String, picture: HTML) {
        (self.name, self.value, self.isChosen, self.label, self.picture) = (name, value, isChosen, label, picture)
    }

    init(_ photo: Photo, name: String, isChosen: Bool, _ say: Language) {
        var thumbnail = Thumbnail(photo, isEager: false)
        thumbnail.kind = .nothing
        thumbnail.isHidden = true
        let words = PhotoTitle.alternative(to: photo)
        self.init(
            name: name, value: photo.code.description, isChosen: isChosen,
            label: words.isEmpty ? say.day(photo.moment, in: photo.clock(or: .utc)) : words,
            picture: thumbnail.html)
    }

    var html: HTML {
        let checked: HTML = isChosen ? " checked" : .nothing
        return """
            <label><input type="radio" name="\(name)" value="\(value)"\(checked)>\(picture)\
            <span class="quietly">\(label)</span></label>

            """
    }
}
