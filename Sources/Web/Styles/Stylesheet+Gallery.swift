extension Stylesheet {
    /// Galleries: grids, albums, the calendar of a year.
    static let gallery = """
        main.wide { max-width: 100rem; padding: var(--space-2) max(var(--space-4), env(safe-area-inset-left)) var(--space-6); }
        .whose {
            display: flex;
            flex-wrap: wrap;
            align-items: baseline;
            justify-content: space-between;
            gap: var(--space-2) var(--space-5);
            margin: 0 0 var(--space-5);
        }
        .who { margin: 0; font-size: 1.45rem; font-weight: 650; letter-spacing: -.01em; overflow-wrap: anywhere; }
        .who a { color: inherit; text-decoration: none; }
        main.wide h1 { font-size: 1.125rem; margin: 0 0 var(--space-2); overflow: hidden; }
        .grid {
            list-style: none;
            margin: var(--space-4) 0 0;
            padding: 0;
            display: grid;
            grid-template-columns: repeat(3, minmax(0, 1fr));
            gap: 3px;
        }
        @media (min-width: 40rem) { .grid { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: var(--space-2); } }
        @media (min-width: 60rem) { .grid { grid-template-columns: repeat(5, minmax(0, 1fr)); gap: var(--space-3); } }
        @media (min-width: 80rem) { .grid { grid-template-columns: repeat(6, minmax(0, 1fr)); } }
        .grid li, .month li { position: relative; min-width: 0; }
        .grid a, .month a { display: block; position: relative; color: inherit; text-decoration: none; }
        .grid img, .grid .blank, .month img {
            display: block;
            width: 100%;
            height: auto;
            aspect-ratio: 1;
            object-fit: cover;
            background: var(--stage);
            border-radius: 2px;
            overflow: hidden;
            font-size: var(--small);
            overflow-wrap: anywhere;
        }
        @media (min-width: 40rem) { .grid img, .grid .blank { border-radius: var(--round); } }
        .grid a:hover img, .month a:hover img { filter: brightness(.92); }
        .grid a:focus-visible { outline-offset: 3px; border-radius: var(--round); }
        .badge, .month .number {
            position: absolute;
            inset-inline-end: .35rem;
            top: .35rem;
            padding: 0 .4rem;
            border-radius: 1rem;
            background: rgb(0 0 0 / .68);
            color: #fff;
            font-size: .75rem;
            line-height: 1.5;
            font-variant-numeric: tabular-nums;
        }
        .albums { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--space-3); }
        @media (min-width: 40rem) { .albums { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
        @media (min-width: 60rem) { .albums { grid-template-columns: repeat(5, minmax(0, 1fr)); } }
        .albums img { border-radius: var(--round); }
        .albums .name { display: block; padding: var(--space-2) 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .pages { display: flex; flex-wrap: wrap; justify-content: center; gap: var(--space-3); margin: var(--space-6) 0 0; }
        .pages:empty { display: none; }
        .year {
            display: grid;
            grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.5rem), 1fr));
            gap: var(--space-5) var(--space-6);
            margin: var(--space-4) 0 0;
        }
        .month h2 { font-size: .95rem; margin: 0 0 var(--space-2); }
        .month ol { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 3px; }
        .month li {
            aspect-ratio: 1;
            display: grid;
            place-items: center;
            border-radius: 4px;
            font-size: .75rem;
            font-variant-numeric: tabular-nums;
            color: var(--quiet);
        }
        .month .gap { background: var(--stage); }
        .month .ahead { border: 1px dashed var(--line); }
        .month .has a, .month .has picture { width: 100%; }
        .month img { border-radius: 4px; }
        .month .number { inset-inline: auto .15rem; top: auto; bottom: .15rem; padding: 0 .2rem; font-size: .625rem; border-radius: 3px; }
        .month .badge { inset-inline-end: .15rem; top: .15rem; padding: 0 .25rem; font-size: .625rem; }
        .month a:hover, .month a:focus-visible { z-index: 1; }
        .c1 { grid-column-start: 1; }
        .c2 { grid-column-start: 2; }
        .c3 { grid-column-start: 3; }
        .c4 { grid-column-start: 4; }
        .c5 { grid-column-start: 5; }
        .c6 { grid-column-start: 6; }
        .c7 { grid-column-start: 7; }

        """
}
