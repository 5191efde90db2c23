extension Stylesheet {
    /// Elements as they are everywhere.
    static let base = """
        *, ::before, ::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
            margin: 0;
            min-height: 100vh;
            min-height: 100dvh;
            display: flex;
            flex-direction: column;
            background: var(--paper);
            color: var(--ink);
            font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans CJK JP", sans-serif;
        }
        :lang(ja) body, body:lang(ja) { line-height: 1.75; line-break: strict; }
        h1, h2, h3 { line-height: 1.3; text-wrap: balance; overflow-wrap: anywhere; }
        :lang(ja) :is(h1, h2, h3) { word-break: auto-phrase; }
        h1 { font-size: 1.45rem; margin: 0 0 var(--space-4); }
        h2 { font-size: 1.125rem; margin: 2rem 0 var(--space-3); }
        h3 { font-size: 1rem; margin: var(--space-5) 0 var(--space-2); }
        p { margin: 0 0 var(--space-4); }
        a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: from-font; }
        a:hover { text-decoration-thickness: 2px; }
        img, video, svg { max-width: 100%; }
        small { color: var(--quiet); font-size: var(--small); line-height: 1.4; }
        code { overflow-wrap: anywhere; }
        [hidden] { display: none !important; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
        main:focus { outline: none; }
        @media (prefers-reduced-motion: reduce) {
            *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
        }
        @media print {
            body { font-size: 11pt; min-height: 0; }
            .site, .skip, form, button { display: none !important; }
        }

        """
}
