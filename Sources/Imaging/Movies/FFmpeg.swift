internal import CLinux
internal import Glibc
internal import Media
internal import System

/// One run of Debian's `ffmpeg`, which decodes what this process has no decoder for.
///
/// It inherits this process's limits on memory, descriptors and the length of files, its filter of system calls, its empty
/// environment, and that nothing it starts gains privileges. It gets processor time of its own and dies with this process. It
/// sees the input as its standard input and writes to a file that is open already; it may open nothing but that file and programs'
/// parts for reading, and is told to read no format that names others.
struct FFmpeg {
    private static let program = "/usr/bin/ffmpeg"
    /// From util-linux, as the private PostgreSQL needs it: asks for the signal at this process's death, then becomes ffmpeg.
    private static let launcher = "/usr/bin/setpriv"
    /// From util-linux, too: limits its own processor time, then becomes ffmpeg. This process may limit no other.
    private static let limiter = "/usr/bin/prlimit"
    /// The codecs of phones and cameras. Debian's ffmpeg has hundreds of decoders more.
    private static let decoders = "h264,hevc,mpeg4,h263,vp8,vp9,libdav1d,av1,prores,mjpeg"

    let limits: MediaLimits

    /// Runs it with `input` as the standard input.
    ///
    /// - Parameters:
    ///   - input: The video.
    ///   - options: How to read the input.
    ///   - results: The pictures to make of it, and their formats.
    ///   - output: Where to; what it holds is replaced. It stays empty when the input holds nothing to make the results from.
    ///   - processorSeconds: How long it may compute; at least 1.
    /// - Throws: `.refused(.damaged)` when it gives up, `.refused(.tooCostly)` when it meets a limit, `.failed` when it cannot be
    ///   started.
    func run(
        _ input: InputFile, reading options: [String], making results: [String], to output: Int32, processorSeconds: Int
    ) throws(ImagingError) {
        try OutputFile(output).clear(count: 0)
        // It goes on where the last one ended.
        guard lseek(output, 0, SEEK_SET) == 0 else { throw .failed(detail: "lseek: \(errno)") }
        let complaints = try Self.memory("complaints")
        let seconds = max(1, processorSeconds)
        let arguments =
            ["setpriv", "--pdeathsig", "KILL", Self.limiter, "--cpu=\(seconds):\(seconds + 1)"]
            + [Self.program, "-nostdin", "-hide_banner", "-loglevel", "error"]
            + ["-max_alloc", "\(limits.memoryBytes)", "-filter_threads", "1"]
            // `mov` is the reader of MP4 and QuickTime; a list of other files or a stream is none. Debian's ffmpeg 5.1 reads
            // a descriptor as a pipe only, in which it cannot seek: hence its name in /proc.
            + ["-protocol_whitelist", "file,pipe", "-format_whitelist", "mov", "-f", "mov", "-enable_drefs", "0"]
            + ["-codec_whitelist", Self.decoders, "-max_pixels", "\(limits.pixels)", "-threads", "1"]
            + options + ["-i", "file:/proc/self/fd/0", "-threads", "1"] + results + ["pipe:1"]
        let process = try Self.start(
            arguments, input: input.descriptor, output: output, complaints: complaints.number)
        try Self.check(status: Self.wait(for: process), complaint: try Self.text(in: complaints))
    }

    private static func check(status: Int32, complaint: String) throws(ImagingError) {
        let signal = status & 0x7F
        if [SIGXCPU, SIGXFSZ, SIGKILL].contains(signal) {
            throw .refused(.tooCostly, detail: "ffmpeg was ended by signal \(signal): \(complaint)")
        }
        switch (signal, (status >> 8) & 0xFF) {
        case (0, 0): return
        // setpriv(1), prlimit(1): the program cannot be executed, or is not there.
        case (0, 126), (0, 127): throw .failed(detail: "ffmpeg cannot be started: \(complaint)")
        case (0, _) where complaint.contains("Cannot allocate memory"):
            throw .refused(.tooCostly, detail: "ffmpeg: \(complaint)")
        case (0, let code): throw .damaged("ffmpeg ended with \(code): \(complaint)")
        default: throw .damaged("ffmpeg was ended by signal \(signal): \(complaint)")
        }
    }

    /// A file without a path; it counts for the limit on a file's length.
    private static func memory(_ name: String) throws(ImagingError) -> OwnedDescriptor {
        let descriptor = pics_memfd(name)
        guard descriptor >= 0 else { throw .failed(detail: "memfd_create: \(String(cString: strerror(errno)))") }
        return OwnedDescriptor(owning: descriptor)
    }

    private static func start(
        _ arguments: [String], input: Int32, output: Int32, complaints: Int32
    ) throws(ImagingError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // In place of the socket to the parent; all else is closed on exec.
        for (number, place) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (complaints, STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, number, place)
        }
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var process = pid_t()
        let code = posix_spawn(&process, launcher, &actions, nil, &words, &environment)
        guard code == 0 else { throw .failed(detail: "\(launcher): \(String(cString: strerror(code)))") }
        return process
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    /// The beginning of what it said, which is only for the log.
    private static func text(in file: borrowing OwnedDescriptor) throws(ImagingError) -> String {
        String(decoding: try InputFile(file.number).bytes(at: 0, count: 400), as: UTF8.self)
    }
}
