internal import CSeccomp
internal import Glibc
package import Media

/// The system calls that this process, its threads and all it starts may make from now on (seccomp(2), by libseccomp).
///
/// A call that is on no list is answered as if the kernel did not have it, which libraries know how to live with. A call that
/// only an intruder makes ends the process with SIGSYS.
package enum SystemCallFilter {
    /// Installs the filter for `role`; what is read from the disk lazily has to be read before.
    ///
    /// - Returns: False when this kernel, or what Pics runs in, has no filters: then nothing has changed.
    /// - Throws: `.failed` when the filter cannot be built.
    @discardableResult
    package static func install(for role: MediaRole) throws(ImagingError) -> Bool {
        // A sanitizer looks at its process by calls that nothing else makes.
        guard !isSanitized else { return true }
        let filter = try FilterHandle(else: pics_seccomp_errno(ENOSYS))
        try filter.set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)
        // All threads that there are, too.
        try filter.set(SCMP_FLTATR_CTL_TSYNC, 1)
        // A tree instead of a list: a decoder makes its calls by the hundred thousand.
        try filter.set(SCMP_FLTATR_CTL_OPTIMIZE, 2)
        try filter.add(SCMP_ACT_ALLOW, SystemCalls.computing)
        try filter.add(SCMP_ACT_KILL_PROCESS, SystemCalls.breakingOut)
        try filter.add(pics_seccomp_errno(EACCES), SystemCalls.connecting)
        try addDescriptors(to: filter)
        try addOwnAttributes(to: filter)
        switch role {
        case .pictures, .archives:
            try filter.add(pics_seccomp_errno(EACCES), SystemCalls.opening)
            try filter.add(SCMP_ACT_KILL_PROCESS, SystemCalls.starting)
            try addClone(to: filter, allowing: [UInt64(CLONE_THREAD)])
        case .videos:
            try filter.add(SCMP_ACT_ALLOW, SystemCalls.starting + SystemCalls.looking)
            try addClone(to: filter, allowing: [UInt64(CLONE_THREAD), UInt64(CLONE_VFORK)])
            let writing = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
            try filter.add(SCMP_ACT_ALLOW, ["open"], where: [.init(1, masked: writing, equals: 0)])
            try filter.add(SCMP_ACT_ALLOW, ["openat"], where: [.init(2, masked: writing, equals: 0)])
        }
        return filter.load()
    }

    /// Threads, and with CLONE_VFORK a program in place of a copy of this process; any other copy ends this one. None becomes a
    /// child of the parent.
    private static func addClone(to filter: borrowing FilterHandle, allowing flags: [UInt64]) throws(ImagingError) {
        let parent = UInt64(CLONE_PARENT)
        for flag in flags {
            try filter.add(SCMP_ACT_ALLOW, ["clone"], where: [.init(0, masked: flag | parent, equals: flag)])
        }
        try filter.add(SCMP_ACT_KILL_PROCESS, ["clone"], where: [.init(0, masked: parent, equals: parent)])
        try filter.add(SCMP_ACT_KILL_PROCESS, ["clone"], where: [.init(0, masked: flags.reduce(0, |), equals: 0)])
    }

    /// Descriptors, and the socket to the parent, without what makes the kernel signal a process.
    private static func addDescriptors(to filter: borrowing FilterHandle) throws(ImagingError) {
        func command(_ number: Int32) -> Condition { Condition(1, masked: .max, equals: UInt64(number)) }
        for number in SystemCalls.descriptorCommands {
            try filter.add(SCMP_ACT_ALLOW, ["fcntl"], where: [command(number)])
        }
        for number in SystemCalls.signallingCommands {
            try filter.add(SCMP_ACT_KILL_PROCESS, ["fcntl"], where: [command(number)])
        }
        let signals = UInt64(O_ASYNC)
        let setting = command(F_SETFL)
        try filter.add(SCMP_ACT_ALLOW, ["fcntl"], where: [setting, .init(2, masked: signals, equals: 0)])
        try filter.add(SCMP_ACT_KILL_PROCESS, ["fcntl"], where: [setting, .init(2, masked: signals, equals: signals)])
        let outOfBand = UInt64(MSG_OOB)
        try filter.add(SCMP_ACT_ALLOW, SystemCalls.sockets, where: [.init(2, masked: outOfBand, equals: 0)])
        try filter.add(
            SCMP_ACT_KILL_PROCESS, SystemCalls.sockets, where: [.init(2, masked: outOfBand, equals: outOfBand)])
    }

    /// Its own limits may be read; the one of processor time may be set, which changes with each request.
    private static func addOwnAttributes(to filter: borrowing FilterHandle) throws(ImagingError) {
        let time = Condition(1, masked: .max, equals: UInt64(RLIMIT_CPU.rawValue))
        let (own, reading) = (Condition(0, masked: .max, equals: 0), Condition(2, masked: .max, equals: 0))
        try filter.add(SCMP_ACT_ALLOW, ["prlimit64"], where: [own, time])
        try filter.add(SCMP_ACT_ALLOW, ["prlimit64"], where: [own, reading])
        // abort(3) sends itself its signal.
        let itself = Condition(0, masked: .max, equals: UInt64(getpid()))
        try filter.add(SCMP_ACT_ALLOW, ["tgkill"], where: [itself])
        for option in SystemCalls.processOptions {
            let named = Condition(0, masked: .max, equals: UInt64(option))
            try filter.add(SCMP_ACT_ALLOW, ["prctl"], where: [named])
        }
    }

    /// Whether this is a test with a sanitizer, whose own memory and calls are beyond all limits.
    static var isSanitized: Bool {
        (["__asan_init", "__tsan_init"] as [String]).contains { dlsym(nil, $0) != nil }
    }
}

/// That an argument of a call, seen through a mask, is this value.
private struct Condition {
    let comparison: scmp_arg_cmp

    init(_ argument: UInt32, masked mask: UInt64, equals value: UInt64) {
        comparison = scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }
}

/// A filter that is being built. The C functions are `seccomp_init` and `seccomp_release`.
private struct FilterHandle: ~Copyable {
    private let context: scmp_filter_ctx

    init(else action: UInt32) throws(ImagingError) {
        guard let context = seccomp_init(action) else { throw .failed(detail: "seccomp_init") }
        self.context = context
    }

    deinit { seccomp_release(context) }

    func set(_ attribute: scmp_filter_attr, _ value: UInt32) throws(ImagingError) {
        let code = seccomp_attr_set(context, attribute, value)
        guard code == 0 else { throw .failed(detail: "seccomp_attr_set: \(code)") }
    }

    /// Answers these calls with `action`, if all conditions are met. Calls that libseccomp or this processor does not have are
    /// left out: they get the answer of all others.
    func add(_ action: UInt32, _ calls: [String], where conditions: [Condition] = []) throws(ImagingError) {
        let comparisons = conditions.map(\.comparison)
        for call in calls {
            let number = seccomp_syscall_resolve_name(call)
            guard number != __NR_SCMP_ERROR else { continue }
            let code = seccomp_rule_add_array(context, action, number, UInt32(comparisons.count), comparisons)
            guard code == 0 else { throw .failed(detail: "seccomp_rule_add_array \(call): \(code)") }
        }
    }

    /// False when there is no such thing here.
    func load() -> Bool { seccomp_load(context) == 0 }
}
