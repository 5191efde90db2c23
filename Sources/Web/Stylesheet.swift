internal import HTTP
package import HTTPServer

/// The one stylesheet. Its path holds a hash of its content, so it may be cached for ever.
enum Stylesheet {
    static let path = "/assets/\(ContentHash.of(Array(text.utf8))).css"

    static let text = """
        :root { color-scheme: light dark; --ink: #1b1b1d; --paper: #fbfaf8; --quiet: #6b6864; --line: #e3e0da; --link: #0b57a4; }
        @media (prefers-color-scheme: dark) {
            :root { --ink: #ece9e4; --paper: #141416; --quiet: #a09c95; --line: #2c2b2e; --link: #8ab8f0; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
        a { color: var(--link); }
        main { max-width: 1280px; margin: 0 auto; }
        .photo img, .photo video { display: block; width: auto; max-width: 100%; height: auto; max-height: 82vh; margin: 0 auto; background: var(--line); }
        article { max-width: 42rem; margin: 0 auto; padding: 1.25rem; }
        .caption { margin: 0 0 1rem; overflow-wrap: anywhere; }
        .facts { color: var(--quiet); font-size: .9rem; margin: 0 0 .5rem; }
        .places { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
        .places a { display: block; padding: .3rem .8rem; border: 1px solid var(--line); border-radius: 1rem; text-decoration: none; }
        .sheet { padding: 1.5rem 1.25rem; }
        h1 { font-size: 1.4rem; margin: 0 0 1rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: .95rem; }
        th, td { text-align: start; padding: .45rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
        td.number { text-align: end; font-variant-numeric: tabular-nums; }

        """
}

extension Web {
    /// `GET /assets/{file}`: the stylesheet.
    package func asset(_ request: Request) -> Response {
        guard request.path == Stylesheet.path else {
            return problemPage(
                ProblemDetails(type: "/problems/not-found", status: .notFound, title: "No such thing here"))
        }
        return Response(
            .ok,
            fields: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable",
                "X-Content-Type-Options": "nosniff",
            ], body: .bytes(Array(Stylesheet.text.utf8)))
    }
}
