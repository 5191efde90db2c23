internal import Glibc

/// A file descriptor that is closed exactly once.
package struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number; lent, not given.
    package let number: Int32

    /// Takes over `number`.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit { close(number) }
}
