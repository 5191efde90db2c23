extension Stylesheet {
    /// The frame of a page: skip link, header, layouts of `<main>`, footer.
    static let frame = """
        .skip {
            position: absolute;
            inset-inline-start: var(--space-2);
            top: -6rem;
            z-index: 1;
            padding: var(--space-2) var(--space-4);
            border-radius: var(--round);
            background: var(--link);
            color: var(--on-link);
        }
        .skip:focus { top: var(--space-2); }
        header.site, footer.site {
            display: flex;
            flex-wrap: wrap;
            align-items: center;
            gap: var(--space-2) var(--space-4);
            padding: var(--space-3) max(var(--space-4), env(safe-area-inset-left));
            font-size: var(--small);
        }
        header.site { justify-content: space-between; }
        header.site a, footer.site a { color: var(--quiet); text-decoration: none; padding: var(--space-1) 0; }
        header.site a:hover, footer.site a:hover { color: var(--ink); text-decoration: underline; }
        header.site > a:first-child { font-weight: 600; color: var(--ink); }
        footer.site { margin-top: auto; justify-content: center; color: var(--quiet); }
        footer.site:empty { display: none; }
        main { width: 100%; margin: 0 auto; }
        main.article, main.settings { max-width: var(--column); padding: var(--space-4) 1.25rem var(--space-6); }
        main.sheet { max-width: var(--wide); padding: var(--space-4) 1.25rem var(--space-6); }

        """
}
