extension Stylesheet {
    /// Parts that several pages use.
    static let parts = """
        .facts { color: var(--quiet); font-size: var(--small); margin: 0 0 var(--space-2); }
        .places { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: var(--space-2); }
        .places a {
            display: block;
            padding: .3rem .8rem;
            border: 1px solid var(--line);
            border-radius: 1rem;
            text-decoration: none;
            font-size: .95rem;
        }
        .places a:hover { border-color: var(--edge); }
        .places a[aria-current] { background: var(--link); border-color: var(--link); color: var(--on-link); }
        .scroll { overflow-x: auto; }
        .quietly { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

        """
}
