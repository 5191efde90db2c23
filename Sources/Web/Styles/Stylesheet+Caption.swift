extension Stylesheet {
    /// The page of a photo: the picture on a stage as wide as the window, a column of text below.
    static let caption = """
        .stage { position: relative; display: grid; justify-items: center; background: var(--stage); overflow: hidden; }
        .stage + .stage { margin-top: var(--space-2); }
        .placeholder { display: block; height: auto; max-width: 100%; max-height: 82vh; max-height: 82svh; filter: blur(1rem); }
        .stage img, .stage video {
            position: absolute;
            inset: 0;
            width: 100%;
            height: 100%;
            object-fit: contain;
        }
        .photo .text { max-width: var(--column); margin: 0 auto; padding: var(--space-5) 1.25rem; }
        .caption {
            margin: 0 0 var(--space-4);
            font-size: 1.125rem;
            line-height: 1.6;
            overflow-wrap: anywhere;
            overflow: clip;
            overflow-clip-margin: .5rem;
            unicode-bidi: plaintext;
            text-align: start;
        }
        .caption:lang(ja) { line-height: 1.85; }
        .photo .facts { overflow-wrap: anywhere; }
        .photo .facts a { color: inherit; text-decoration: none; }
        .photo .facts a:hover { text-decoration: underline; }
        .photo .visits { margin: 0 0 var(--space-5); }
        .photo .visits a { color: var(--link); }
        .p-author { font-weight: 600; color: var(--ink); }
        .like { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-4); margin: var(--space-5) 0; }
        .like p { margin: 0; color: var(--quiet); font-size: var(--small); font-variant-numeric: tabular-nums; }
        .like button {
            display: inline-flex;
            align-items: center;
            gap: var(--space-2);
            border-color: var(--edge);
            border-radius: 2rem;
            background: none;
            color: var(--ink);
            transition: color .15s, border-color .15s;
        }
        .like button:hover { border-color: var(--like); }
        .like svg { fill: none; stroke: var(--like); stroke-width: 2; }
        .like [aria-pressed=true] { border-color: var(--like); color: var(--like); }
        .like [aria-pressed=true] svg { fill: var(--like); }
        .elsewhere h2, .share label { font-size: var(--small); font-weight: 600; color: var(--quiet); }
        .elsewhere h2 { margin: 0 0 var(--space-2); }
        .elsewhere { margin: 0 0 var(--space-5); }
        .share { display: flex; flex-wrap: wrap; align-items: end; gap: var(--space-2); }
        .share label { flex: 1 1 14rem; }
        .share input {
            width: 100%;
            min-height: 2.4rem;
            padding: .25rem .7rem;
            border: 1px solid var(--line);
            border-radius: var(--round);
            background: var(--raised);
            color: var(--ink);
            font-size: .95rem;
            font-weight: 400;
        }
        .share details { flex: 1 0 100%; }
        .share summary { color: var(--link); font-size: .95rem; padding: var(--space-2) 0; cursor: pointer; width: fit-content; }
        .share details img { display: block; background: #fff; border-radius: var(--round); }
        .neighbours {
            display: flex;
            justify-content: space-between;
            gap: var(--space-4);
            max-width: var(--column);
            margin: 0 auto;
            padding: 0 1.25rem var(--space-6);
        }
        .neighbours a { padding: var(--space-2) 0; text-decoration: none; }
        .neighbours a:hover { text-decoration: underline; }
        .neighbours [rel=next] { margin-inline-start: auto; }
        @media print {
            .share, .neighbours { display: none !important; }
            .placeholder { max-height: 60vh; visibility: hidden; }
            .photo .u-url::after { content: " · " attr(href); }
        }

        """
}
