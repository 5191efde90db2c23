extension Stylesheet {
    /// The status page.
    static let status = """
        footer .choice { display: flex; align-items: center; gap: var(--space-2); min-height: 1.75rem; }
        footer .choice input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
        .verdict {
            margin: 0 0 var(--space-5);
            padding: var(--space-5);
            border-radius: var(--round-large);
            border: 1px solid var(--line);
            border-inline-start: 6px solid var(--good);
            background: var(--raised);
        }
        .verdict h1 { margin: 0; }
        .verdict p { margin: var(--space-2) 0 0; }
        .verdict.warn { border-inline-start-color: var(--warn); }
        .verdict.wrong { border-inline-start-color: var(--wrong); }
        .services th, .services td { white-space: nowrap; }
        .services .state { white-space: normal; display: inline-block; min-width: 8rem; max-width: 22rem; overflow-wrap: anywhere; }
        .services td:nth-child(2) { min-width: 13rem; }
        .services .problem {
            display: -webkit-box;
            -webkit-box-orient: vertical;
            -webkit-line-clamp: 4;
            max-width: 26rem;
            margin: var(--space-1) 0 0;
            overflow: hidden;
            white-space: normal;
            overflow-wrap: anywhere;
            font-size: var(--small);
        }
        .services .facts { margin: 0; }
        .services th:nth-child(n+3):nth-child(-n+8) { text-align: end; }
        .services .counts { display: none; margin-top: var(--space-1); white-space: normal; }
        .services .counts span { white-space: nowrap; }
        @media (max-width: 40rem) {
            .services :is(th, td):nth-child(n+3) { display: none; }
            .services .counts { display: block; }
        }
        thead th { color: var(--quiet); font-weight: 500; font-size: var(--small); white-space: nowrap; }
        tbody th { font-weight: 600; }
        .chart { margin: 0 0 var(--space-3); max-width: 45rem; }
        .chart svg { display: block; width: 100%; height: auto; }
        .chart .axis { stroke: var(--edge); stroke-width: 1; }
        .chart text { fill: var(--quiet); font-size: 13px; }
        @media (max-width: 40rem) { .chart text { font-size: 24px; } }
        .chart .published, .key.published { fill: var(--good); background: var(--good); }
        .chart .off, .key.off { fill: var(--warn); background: var(--warn); }
        .chart .failed, .key.failed { fill: var(--wrong); background: var(--wrong); }
        .chart figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); margin-top: var(--space-2); font-size: var(--small); color: var(--quiet); }
        .key { width: .7rem; height: .7rem; border-radius: 2px; margin-inline-start: var(--space-2); }
        .key:first-child { margin-inline-start: 0; }
        details summary { color: var(--link); cursor: pointer; padding: var(--space-1) 0; font-size: var(--small); }
        details table { max-width: 30rem; }
        .trouble li { align-items: flex-start; flex-wrap: wrap; }
        .trouble li > div:first-child { flex: 1 1 16rem; }
        .trouble p { margin: var(--space-1) 0 0; max-height: 7.8em; overflow: hidden; }
        .trouble .actions { display: flex; flex-wrap: wrap; gap: var(--space-2); }
        .machine { margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: var(--space-3) var(--space-5); }
        .machine dt { color: var(--quiet); font-size: var(--small); }
        .machine dd { margin: 0; overflow-wrap: anywhere; }

        """
}
