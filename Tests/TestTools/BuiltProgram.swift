internal import Foundation
internal import Glibc

/// The path of a program as it was built beside the tests.
package func builtProgram(_ name: String) -> String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: name).path
}

/// Whether a sanitizer is in the program. It reserves terabytes of addresses for itself, which a limit on memory forbids.
package let isSanitized = (["__asan_init", "__tsan_init"] as [String]).contains { dlsym(nil, $0) != nil }
