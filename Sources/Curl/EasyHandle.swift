internal import CCurl
internal import HTTP

/// A `CURL` and the list of header lines it refers to, freed exactly once.
struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?

    init() throws(TransportError) {
        guard let pointer = curl_easy_init() else { throw .notSent("libcurl has no memory") }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(lines)
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(pics_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: Int64) throws(TransportError) {
        try check(pics_curl_set_offset(pointer, option, curl_off_t(value)))
    }

    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(pics_curl_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(TransportError) {
        try check(pics_curl_set_pointer(pointer, option, value))
    }

    /// Checks what a wrapper for a callback returned.
    func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .notSent(String(cString: curl_easy_strerror(code))) }
    }

    /// Sets the header lines; libcurl writes them as they are.
    mutating func set(_ headerLines: [String]) throws(TransportError) {
        for line in headerLines {
            guard let longer = curl_slist_append(lines, line) else { throw .notSent("libcurl has no memory") }
            lines = longer
        }
        try set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(lines))
    }

    func get(_ info: CURLINFO) -> Int {
        var value = 0
        return pics_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }
}
