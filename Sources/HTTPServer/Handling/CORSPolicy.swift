/// Which pages of other origins may use a part of the server (Fetch standard, section 3.2).
///
/// They never send credentials of the browser: whoever calls brings a token.
package struct CORSPolicy: Sendable, Equatable {
    /// Where pages may come from.
    package enum Origins: Sendable, Equatable {
        /// From anywhere.
        case any
        /// From exactly these, written as browsers do: `https://app.example`, small letters, no default port.
        case only([String])
    }

    package var origins: Origins
    /// The paths that are shared: this one, and those that go on behind it with a slash.
    package var path: String
    /// What a page may set. A `*` would not cover `Authorization` (Fetch, section 4.9), so all are named.
    package var requestHeaders = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-ID",
        "Upload-Offset", "Upload-Length", "Upload-Complete", "Upload-Metadata", "Upload-Defer-Length",
        "Upload-Checksum", "Upload-Concat", "Upload-Draft-Interop-Version", "Upload-Incomplete", "Tus-Resumable",
        "X-HTTP-Method-Override", "X-Requested-With", "Content-Disposition", "Content-Digest", "Repr-Digest",
    ]
    /// What a page may read.
    package var exposedHeaders = [
        "Location", "Link", "ETag", "Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-ID",
        "Upload-Offset", "Upload-Length", "Upload-Complete", "Upload-Incomplete", "Upload-Limit", "Upload-Metadata",
        "Upload-Expires",
        "Upload-Defer-Length", "Upload-Concat", "Upload-Draft-Interop-Version", "Tus-Resumable", "Tus-Version",
        "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm",
    ]
    /// How long a browser may remember what it was allowed; Chromium takes no more than two hours.
    package var maxAge: Duration = .seconds(7200)

    /// Shares `path` with pages of `origins`.
    package init(_ origins: Origins, path: String) {
        self.origins = origins
        self.path = path
    }
}
