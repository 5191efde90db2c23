import Glibc
import System
import Testing

struct DescriptorTests {
    private func makeFile(_ content: [UInt8]) -> OwnedDescriptor {
        var template = Array("/tmp/pics-descriptor-XXXXXX".utf8CString)
        let file = OwnedDescriptor(owning: mkstemp(&template))
        unlink(template)
        let isWritten = file.write(content[...])
        #expect(isWritten)
        return file
    }

    @Test func `a read gives as much as there is, from where it is asked`() {
        let content = (0..<200_000).map { UInt8($0 % 251) }
        let file = makeFile(content)

        let (whole, end) = (file.read(at: 0, atMost: 300_000), file.read(at: 199_998, atMost: 5))
        let behind = file.read(at: 200_000, atMost: 5)

        #expect(whole == content)
        #expect(end == Array(content[199_998...]))
        #expect(behind == [])
    }

    @Test func `a call that fails is told apart from the end of a file`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = OwnedDescriptor(owning: ends[0])
        let writer = OwnedDescriptor(owning: ends[1])

        let bytes = reader.read(at: 0, atMost: 5)
        let isWritten = reader.write([1])

        #expect(bytes == nil)
        #expect(!isWritten)
        _ = consume writer
    }

    @Test func `a file that is shared closes with its last owner`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = OwnedDescriptor(owning: ends[0])
        var owners = [OpenFile(owning: ends[1])]
        owners.append(owners[0])
        var event = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)

        owners.removeLast()
        #expect(poll(&event, 1, 0) == 0)
        owners.removeLast()
        #expect(poll(&event, 1, 0) == 1 && event.revents & Int16(POLLHUP) != 0)
    }
}
