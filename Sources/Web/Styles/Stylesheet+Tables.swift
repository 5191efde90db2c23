extension Stylesheet {
    /// Tables, and lists of rows with something to do at their end.
    static let tables = """
        table { border-collapse: collapse; width: 100%; font-size: .95rem; }
        th, td { text-align: start; padding: .45rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
        td.number { text-align: end; font-variant-numeric: tabular-nums; }
        .rows { list-style: none; margin: 0 0 1.5rem; padding: 0; border-top: 1px solid var(--line); }
        .rows li {
            display: flex;
            flex-wrap: wrap;
            justify-content: space-between;
            align-items: center;
            gap: var(--space-2) 1rem;
            padding: .7rem 0;
            border-bottom: 1px solid var(--line);
        }
        .rows div { min-width: 0; overflow-wrap: anywhere; }
        .rows li > div:first-child { flex: 1 1 10rem; }
        .rows .actions { margin: 0; gap: var(--space-2); }
        .rows .facts { display: block; margin: 0; }
        .rows form { flex: none; }

        """
}
