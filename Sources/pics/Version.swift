import Domain

/// This build's version.
let version = Software.version
