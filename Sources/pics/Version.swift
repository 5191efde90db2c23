/// This build's version; `CHANGELOG.md` says what it brings.
let version = "0.1.0"
