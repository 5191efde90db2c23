internal import Dispatch
internal import Foundation
internal import HTTP

// Calls and answers for `script/check-lexicons`, which judges them by the lexicons.
extension FakeBluesky {
    private static let writes = DispatchQueue(label: "recording")
    /// Where each call is added as a line of JSON; nil: nowhere.
    private static let recording = ProcessInfo.processInfo.environment["PICS_RECORD_BLUESKY"]

    static func recorded(_ route: FakeRoute) -> FakeRoute {
        guard let recording else { return route }
        return FakeRoute(route.name) { request, parameters in
            let answer = await route.response(request, parameters)
            let call: JSONValue = [
                "method": .string(String(request.path.split(separator: "/").last ?? "")),
                "query": .string(request.query), "input": request.json ?? .null,
                "status": .int(Int64(answer.status.code)), "output": (try? JSONValue(parsing: answer.body)) ?? .null,
            ]
            let line = call.serialized + [UInt8(ascii: "\n")]
            // A file may not be opened on the event loop that answers.
            writes.async {
                guard let file = fopen(recording, "a") else { return }
                defer { fclose(file) }
                fwrite(line, 1, line.count, file)
            }
            return answer
        }
    }
}
