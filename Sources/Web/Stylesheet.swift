internal import HTTP
package import HTTPServer

/// The one stylesheet. Its path holds a hash of its content, so it may be cached for ever.
enum Stylesheet {
    static let path = "/assets/\(ContentHash.of(Array(text.utf8))).css"

    static let text = """
        :root { color-scheme: light dark; --ink: #1b1b1d; --paper: #fbfaf8; --quiet: #6b6864; --line: #e3e0da; --link: #0b57a4; \
        --edge: #8f8a82; --field: #ffffff; --wrong: #b3261e; }
        @media (prefers-color-scheme: dark) {
            :root { --ink: #ece9e4; --paper: #141416; --quiet: #a09c95; --line: #2c2b2e; --link: #8ab8f0; \
            --edge: #77736c; --field: #1e1e21; --wrong: #f2867c; }
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
        h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
        .settings { max-width: 42rem; padding: 1.25rem; }
        .settings > header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
        .settings > header p { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .settings nav { margin: 1rem 0 1.75rem; }
        .places a[aria-current] { background: var(--link); border-color: var(--link); color: var(--paper); }
        .form { display: grid; gap: 1rem; max-width: 26rem; margin: 0 0 1.5rem; }
        .form p { margin: 0; }
        label { display: grid; gap: .3rem; }
        small { color: var(--quiet); font-size: .85rem; line-height: 1.4; }
        input, select, button { font: inherit; color: inherit; }
        .form input, .form select { width: 100%; min-height: 2.75rem; padding: .45rem .7rem; border: 1px solid var(--edge); \
        border-radius: .5rem; background: var(--field); }
        .form .choice { display: flex; align-items: baseline; gap: .6rem; padding: .3rem 0; }
        .form .choice input { width: 1.1rem; min-height: 0; height: 1.1rem; flex: none; transform: translateY(.15rem); margin: 0; \
        accent-color: var(--link); }
        fieldset { margin: 0; padding: .3rem 1rem .6rem; border: 1px solid var(--line); border-radius: .5rem; min-width: 0; }
        legend { padding: 0 .4rem; }
        button { min-height: 2.75rem; padding: .45rem 1.2rem; border: 1px solid var(--link); border-radius: .5rem; \
        background: var(--link); color: var(--paper); cursor: pointer; justify-self: start; }
        button.quiet { min-height: 2.4rem; padding: .25rem .9rem; border-color: var(--line); background: none; color: var(--link); }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        .notice { margin: 0 0 1.25rem; padding: .7rem 1rem; border-inline-start: 4px solid var(--link); border-radius: .3rem; \
        background: var(--field); }
        .notice.failed { border-color: var(--wrong); }
        .shown { margin: 0 0 1.5rem; padding: 1rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--field); }
        .shown h2, .shown p { margin: 0 0 .5rem; }
        .shown p:last-child { margin: 0; color: var(--quiet); }
        .shown code { overflow-wrap: anywhere; user-select: all; }
        .rows { list-style: none; margin: 0 0 1.5rem; padding: 0; border-top: 1px solid var(--line); }
        .rows li { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .7rem 0; \
        border-bottom: 1px solid var(--line); }
        .rows div { min-width: 0; overflow-wrap: anywhere; }
        .rows .facts { display: block; margin: 0; }
        .rows form { flex: none; }
        td.number { text-align: end; font-variant-numeric: tabular-nums; }

        """ + connections
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
