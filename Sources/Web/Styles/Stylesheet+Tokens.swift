extension Stylesheet {
    /// Colours, spaces and sizes. Every pair of text and ground has a contrast of 4.5 at least, edges of fields one of 3.
    static let tokens = """
        :root {
            color-scheme: light dark;
            --paper: #fbfaf8;
            --raised: #ffffff;
            --ink: #1b1b1d;
            --quiet: #63605b;
            --line: #e3e0da;
            --edge: #86817a;
            --link: #0b57a4;
            --on-link: #ffffff;
            --like: #c2185b;
            --wrong: #b3261e;
            --warn: #8a5a00;
            --good: #1b6e3c;
            --stage: #efece6;
            --space-1: .25rem;
            --space-2: .5rem;
            --space-3: .75rem;
            --space-4: 1rem;
            --space-5: 1.5rem;
            --space-6: 2.5rem;
            --small: .875rem;
            --column: 42rem;
            --wide: 80rem;
            --round: .5rem;
            --round-large: 1rem;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --paper: #141416;
                --raised: #1e1e21;
                --ink: #ece9e4;
                --quiet: #a8a49d;
                --line: #2e2d31;
                --edge: #7d7972;
                --link: #8ab8f0;
                --on-link: #10131a;
                --like: #f48fb1;
                --wrong: #f2867c;
                --warn: #e5b567;
                --good: #7fcf9c;
                --stage: #0c0c0d;
            }
        }
        @media print {
            :root { --paper: #fff; --raised: #fff; --ink: #000; --quiet: #444; --line: #bbb; --link: #000; --stage: #fff; }
        }

        """
}
