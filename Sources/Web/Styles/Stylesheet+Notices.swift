extension Stylesheet {
    /// What was just done, and what is shown once.
    static let notices = """
        .notice {
            margin: 0 0 1.25rem;
            padding: .7rem 1rem;
            border-inline-start: 4px solid var(--link);
            border-radius: .3rem;
            background: var(--raised);
        }
        .notice.failed { border-color: var(--wrong); }
        .shown { margin: 0 0 1.5rem; padding: 1rem; border: 1px solid var(--edge); border-radius: var(--round); background: var(--raised); }
        .shown h2, .shown p { margin: 0 0 .5rem; }
        .shown p:last-child { margin: 0; color: var(--quiet); }
        .shown code { overflow-wrap: anywhere; user-select: all; }

        """
}
