internal import Crypto
internal import Domain
internal import EventLoops
internal import FoundationEssentials
internal import HTTP

/// One submission to a library, which knows every file by its checksum: whatever is repeated, it is there once.
struct ImmichPosting: Sendable {
    private static let checksumKey = "checksum"
    /// Before the identifier of an asset that was there before: it is not deleted with the post.
    static let ownersMark = "~"

    let task: SubmissionTask
    let api: ImmichAPI
    let threads: BlockingThreads

    func submit() async throws(SubmissionError) -> Receipt {
        let file = try await task.file()
        let (sha1, wasThere) = try await checksum(of: file)
        let name = "\(task.photo.nameOfTime)_\(task.photo.code).\(file.fileExtension)"
        let words = XMPSidecar(
            caption: task.text, altText: task.altText, shortURL: task.shortURL, takenAt: task.photo.takenAt,
            takenOffset: task.photo.takenOffset, createdAt: task.photo.createdAt)
        let asset = try await task.publish(task.text) { _ throws(SubmissionError) in
            try await api.upload(
                file, name: name, takenAt: task.photo.takenAt ?? task.photo.createdAt, sidecar: words.packet,
                sha1: sha1,
                key: task.submission.description, progress: task.progress)
        }
        return try await receipt(asset, wasThere: wasThere)
    }

    /// The file's checksum, and whether the library had it before the first request. Another copy than at an earlier attempt is another file.
    private func checksum(of file: OutgoingFile) async throws(SubmissionError) -> (sha1: [UInt8], wasThere: Bool) {
        let sha1 = try await file.hash(.sha1, on: threads)
        if let known = await recorded(), known.sha1 == sha1 { return known }
        let wasThere = try await api.asset(with: sha1) != nil
        try await task.journal.record(
            Self.checksumKey, ["sha1": .string(Hex.encode(sha1)), "was_there": .bool(wasThere)])
        return (sha1, wasThere)
    }

    private func recorded() async -> (sha1: [UInt8], wasThere: Bool)? {
        let known = await task.journal.value(Self.checksumKey)
        return known?["sha1"]?.string.flatMap { Hex.decode($0) }.map { ($0, known?["was_there"]?.bool == true) }
    }

    func reconcile() async throws(SubmissionError) -> Reconciliation {
        guard let known = await recorded() else { return .absent }
        if let found = try await api.asset(with: known.sha1) {
            return .found(try await receipt(found.id, wasThere: known.wasThere))
        }
        try await OpenOutcome.close(in: task.journal)
        return .absent
    }

    /// Puts the asset where it belongs, and tells where everybody sees it.
    private func receipt(_ asset: String, wasThere: Bool) async throws(SubmissionError) -> Receipt {
        let settings = task.account.settings
        if wasThere, let sha1 = await recorded()?.sha1 {
            // What lies in the trash is seen nowhere.
            try await afterPublication { () throws(SubmissionError) in
                if try await api.asset(with: sha1)?.isTrashed == true { try await api.restore(asset) }
            }
        }
        if let album = AccountChoice.album.text(in: settings) {
            try await afterPublication { () throws(SubmissionError) in try await api.add(asset, to: album) }
        }
        var link: String?
        if AccountChoice.share.flag(in: settings) {
            link = try await afterPublication { () throws(SubmissionError) in
                if let known = try await api.links(to: asset).first { return known.url }
                return try await api.makeLink(to: asset)
            }
        }
        return Receipt(remoteID: (wasThere ? Self.ownersMark : "") + asset, url: link)
    }
}
