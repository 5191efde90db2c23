internal import Glibc
internal import Synchronization
internal import System

/// One running `pics-media` process. One thread at a time asks it; any thread may kill it.
final class MediaChild: Sendable {
    /// How an exchange ended.
    enum Outcome {
        case answered([UInt8])
        /// It said nothing until the deadline.
        case silent
        /// It died before or over the request, or closed its socket.
        case died
    }

    let id: pid_t
    let role: MediaRole
    private let socket: PacketSocket
    /// Its standard error. Nothing blocks on it: when it is full, the child's text is lost.
    private let complaints: OwnedDescriptor
    private let isReaped = Lock(false)
    private let answerCount = Atomic(0)

    init(id: pid_t, role: MediaRole, socket: consuming PacketSocket, complaints: consuming OwnedDescriptor) {
        self.id = id
        self.role = role
        self.socket = socket
        self.complaints = complaints
    }

    /// How many requests it has answered.
    var answers: Int { answerCount.load(ordering: .relaxed) }

    /// Whether the kernel filters its system calls; true also where nobody can tell.
    var isFiltered: Bool {
        guard let own = SeccompStatus(of: id), let parent = SeccompStatus(of: getpid()) else { return true }
        return own.isStricter(than: parent)
    }

    /// Sends a request and waits for its answer.
    func ask(_ request: [UInt8], descriptors: [Int32], until deadline: ContinuousClock.Instant) -> Outcome {
        // A complaint about an earlier file must not be blamed on this one.
        while !complaint().isEmpty {}
        do throws(PacketError) {
            try socket.send(request, descriptors: descriptors)
        } catch {
            return .died
        }
        let outcome = listen(until: deadline)
        if case .answered = outcome { answerCount.add(1, ordering: .relaxed) }
        return outcome
    }

    /// Waits for what it answers, or answers further.
    func listen(until deadline: ContinuousClock.Instant) -> Outcome {
        guard socket.isReadable(by: deadline) else { return .silent }
        do throws(PacketError) {
            guard let packet = try socket.receive(capacity: MediaMessage.maxBytes) else { return .died }
            return .answered(packet.bytes)
        } catch {
            return .died
        }
    }

    /// Ends it at once, with all that it has started. Does nothing once it is reaped, since its id may be somebody else's by then.
    func kill() {
        isReaped.withLock { isReaped in
            if !isReaped { _ = Glibc.kill(-id, SIGKILL) }
        }
    }

    /// Waits until it has ended, and tells how.
    func reap() -> ChildDeath {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        var status: Int32 = 0
        isReaped.withLock { isReaped in
            waitpid(id, &status, 0)
            isReaped = true
        }
        return ChildDeath(waitStatus: status, complaint: complaint())
    }

    /// Up to 2 KiB of what it has written to its standard error; empty when there is nothing.
    private func complaint() -> String {
        withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { buffer in
            let count = recv(complaints.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }
}

/// How a child ended.
struct ChildDeath: CustomStringConvertible {
    /// The signal that ended it; `nil` if it exited by itself.
    let signal: Int32?
    private let exitStatus: Int32
    private let complaint: String

    /// - Parameters:
    ///   - waitStatus: As waitpid(2) gives it.
    ///   - complaint: The last line that it wrote.
    init(waitStatus: Int32, complaint: String) {
        signal = waitStatus & 0x7F == 0 ? nil : waitStatus & 0x7F
        exitStatus = (waitStatus >> 8) & 0xFF
        self.complaint = complaint
    }

    /// Whether it ended as a program does that a file was too much for: it crashed, or met a limit it had set itself.
    var isTheFilesFault: Bool {
        guard let signal else { return false }
        return [SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS].contains(signal)
    }

    var description: String {
        let end = signal.map { "pics-media was ended by signal \($0)" } ?? "pics-media exited with status \(exitStatus)"
        return complaint.isEmpty ? end : "\(end): \(complaint)"
    }
}
