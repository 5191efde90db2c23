internal import CLinux
internal import Glibc

/// Gives back the memory of code and constants that this process has read so far; what is used again is mapped again.
package func releaseProgramPages() { pics_release_program() }

/// Starts a thread of its own for `work`, with a name that tools show the first 15 bytes of.
package func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(ThreadStart(name: name, work: work))
    let status = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
            pics_name_thread(start.name)
            start.work()
            return nil
        }, start.toOpaque())
    precondition(status == 0, "no thread can be started")
    pthread_detach(thread)
}

private final class ThreadStart: Sendable {
    let name: String
    let work: @Sendable () -> Void

    init(name: String, work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
}
