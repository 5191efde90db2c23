package import HTTPServer

extension RatePolicy.Name {
    /// Public pictures that have to be made, by a process each.
    package static let pictures = RatePolicy.Name("pictures")
}
