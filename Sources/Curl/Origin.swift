/// Scheme, host and port of a URL, for logs: without user, path and query.
func origin(of url: String) -> String {
    let malformed = "a malformed URL"
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return malformed }
    let authority = parts[2].prefix { $0 != "?" && $0 != "#" && $0 != "\\" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    // What is no port may be the password of a user that was cut off at a slash.
    let port = host.split(separator: "]").last?.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    guard port?.allSatisfy({ Int($0) != nil }) ?? true else { return malformed }
    return "\(parts[0])//\(host)"
}
