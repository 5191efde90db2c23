package import System

/// A part of a file as the body of a response. What lies in the page cache goes from there to the socket without passing through
/// the process; other parts are read by disk threads.
///
/// The part must exist for as long as it is sent; a file that shrinks meanwhile cuts the connection.
package struct FileBody: Sendable {
    package let file: OpenFile
    package let offset: Int64
    package let length: Int64

    /// Takes `length` bytes from `offset` on.
    package init(_ file: OpenFile, offset: Int64 = 0, length: Int64) {
        self.file = file
        self.offset = offset
        self.length = length
    }
}
