/// A value in memory of its own.
///
/// A stored property of a class is checked at run time, at every access, for not being used twice at once; those checks would
/// be a tenth of a small request. A value here has no checks: whoever changes it calls nobody who comes back to it.
struct Place<Value>: ~Copyable {
    private let pointer: UnsafeMutablePointer<Value>

    init(_ value: Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    var value: Value {
        _read { yield pointer.pointee }
        nonmutating _modify { yield &pointer.pointee }
    }
}
