internal import EventLoops
internal import HTTP

/// The bodies of requests.
extension HTTP1Connection {
    func exchange(numbered number: UInt64) -> Exchange? { exchange?.number == number ? exchange : nil }

    func hasNews(_ exchange: Exchange) -> Bool { machine.hasNews }

    func takePiece(_ exchange: Exchange) -> Result<ArraySlice<UInt8>?, BodyError>? {
        while true {
            switch machine.nextPiece() {
            case .sendContinue: writeContinue()
            case .receive(let wanted):
                machine.receiveBody(from: socket, atMost: wanted, at: context.clock.now)
            case .piece(let piece): return .success(piece)
            case .end: return .success(nil)
            case .failed(let error): return .failure(error)
            case .wait: return nil
            }
        }
    }

    func continueIfOwed(_ exchange: Exchange) {
        if machine.owesContinue() { writeContinue() }
    }

    private func writeContinue() { buffers?.output.append(literal: "HTTP/1.1 100 Continue\r\n\r\n") }

    func sendInterim(_ status: HTTPStatus, _ fields: HTTPFields, of number: UInt64) {
        guard let exchange = exchange(numbered: number), exchange.status == 0, !machine.request.isHTTP10 else { return }
        turn { if let output = buffers?.output { ResponseHead.writeInterim(status, fields, to: output) } }
    }

    func readerWaits(_ exchange: Exchange) { machine.readerWaits() }

    func readerResumes(_ exchange: Exchange) { machine.readerResumes(at: context.clock.now) }
}
