/// Whether a request may publish: it decides what a lost or unclear answer means.
enum RequestRole: Sendable {
    /// Reads or prepares; sending it again does no harm.
    case preparing
    /// May make the photo public; sending it again may do so twice.
    case publishing
}
