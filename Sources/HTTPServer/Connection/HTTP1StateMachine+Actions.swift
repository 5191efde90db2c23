/// The states of a connection, and the actions that its performer is asked for, one at a time.
extension HTTP1StateMachine {
    enum State {
        /// Waits for a request, or for the rest of its head.
        case reading
        /// The request is with its handler, or its response is being streamed.
        case handling
        /// The response is complete; the client has still to take it.
        case sending
        /// The response was sent; the rest of the request's body is dropped.
        case discarding
        /// No more requests are served; what was written is being sent.
        case closing
        /// Everything was sent; until the client ends its side, what it sends is dropped (RFC 9112, section 9.6).
        case lingering
    }

    /// How the connection ends.
    enum Ending {
        case none
        /// The socket is closed: nothing is owed to the client.
        case close
        /// The socket failed, or the response cannot be completed: the client has to see that.
        case cut
    }

    /// The step when the socket can be read.
    enum ReadAction { case receive, serveReader, stopWatching }

    /// The step for the request that comes next.
    enum RequestAction {
        case none
        /// Find its handler, then `accept`, or `refuse`.
        case serve(RequestHead)
        /// Respond with the fault; the connection closes, since nobody knows where the next message begins.
        case refuse(RequestFault, isHead: Bool)
        /// The client speaks HTTP/2 without having been told that it may (RFC 9113, section 3.3).
        case switchToHTTP2
    }

    /// The step for the reader of a body.
    enum PieceAction {
        /// Write 100 Continue, then ask again.
        case sendContinue
        /// Call `receiveBody`, then ask again.
        case receive(atMost: Int)
        case piece(ArraySlice<UInt8>)
        case end
        case failed(BodyError)
        /// Nothing is there before the socket can be read again.
        case wait
    }

    /// The step when everything that was written was sent.
    enum DrainedAction { case none, resumeProducer, finish, endWriting }

    /// The step when a deadline has passed.
    enum TimeoutAction: Equatable {
        case none
        case refuse(RequestFault, isHead: Bool)
        case failBody(BodyError)
        /// Cancel the handler, and respond in its place.
        case respond(RequestFault)
        case cancelHandler
    }
}
