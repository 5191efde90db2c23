internal import CLoopGuard
internal import Glibc

/// The loop that the current thread is serving, in a thread-specific slot: Dispatch may serve a loop from any thread.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "no thread-specific key left")
        return key
    }()

    static func get() -> EventLoop? {
        pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    static func set(_ loop: EventLoop?) {
        pthread_setspecific(key, loop.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        #if DEBUG
        pics_loop_guard_serve(loop != nil)
        #endif
    }
}
