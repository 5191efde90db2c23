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
        .state { white-space: nowrap; }
        .state::before {
            content: "";
            display: inline-block;
            width: .55rem;
            height: .55rem;
            margin-inline-end: .4rem;
            border-radius: 50%;
            background: var(--quiet);
        }
        .state.ok::before, .state.good::before { background: var(--good); }
        .state.warn::before { background: var(--warn); }
        .state.wrong::before { background: var(--wrong); }
        .state.wrong { color: var(--wrong); font-weight: 600; }
        .scroll { overflow-x: auto; }
        .quietly { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

        """
}
