internal import Domain
internal import HTTP
internal import HTTPServer
internal import Store

extension PageHandlers {
    /// How many of the newest photos are looked through for one that can stand on the first page.
    private static let welcomePhotos = 12

    /// The first page of somebody who has not signed in, with the newest photo of an open gallery, else a drawing.
    func welcomePage(_ request: HTTPRequest) async throws -> HTTPResponse {
        let say = Language(request)
        let newest = try await store.newestPhotos(limit: Self.welcomePhotos, as: .recent)
        let photo = newest.first { $0.photo.kind == .photo && $0.photo.previewSize != nil }
        let drawing: HTML =
            "<div class=\"picture\"><img src=\"\(StaticFile.welcomeDrawing.path)\" width=\"960\" height=\"640\" alt=\"\"></div>"
        return Page(
            language: say, title: "Pics", layout: .wide, mediaOrigin: addresses.mediaOrigin, banner: Self.banner(say),
            content: """
                <section class="welcome">
                \(photo.flatMap { picture(of: $0, say) } ?? drawing)
                <div class="words">
                <h1>Pics</h1>
                <p>\(say(.photosLiveHere))</p>
                <p><a class="button" href="/login">\(say(.signIn))</a></p>
                <p class="facts">\(say(.welcomeInvitation))</p>
                </div>
                </section>

                """, footer: Self.imprint(say)
        ).shared(with: request)
    }

    private func picture(of view: PhotoView, _ say: Language) -> HTML? {
        let photo = view.photo
        guard let (width, height) = photo.previewSize else { return nil }
        let base = addresses.mediaPrefix(of: photo)
        let pictures = PictureSizes(of: photo, width: width, height: height, at: base)
        guard let largest = pictures.renditions.last else { return nil }
        let sizes = "(min-width: 60rem) 60vw, 100vw"
        let name: HTML =
            photo.altText.isEmpty && photo.caption.isEmpty
            ? "<span class=\"quietly\">\(say(.photo(by: view.author)))</span>" : .nothing
        return """
            <figure class="picture"><a href="\(addresses.shortURL(photo.code))"><picture>
            <source type="image/webp" srcset="\(pictures.sources(.webp))" sizes="\(sizes)">
            <img src="\(base)\(largest.rendition.path(code: photo.code, recipe: photo.recipe))" srcset="\(pictures.sources(.jpeg))" sizes="\(sizes)" \
            width="\(largest.size.width)" height="\(largest.size.height)" \
            alt="\(PhotoTitle.alternative(to: photo))">
            </picture>\(name)</a>
            <figcaption><a href="\(GalleryAddress(view.owner).photos)">\(say.marked(.photo(creditedTo: view.author)))</a></figcaption>
            </figure>
            """
    }
}
