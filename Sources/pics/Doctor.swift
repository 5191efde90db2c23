import Accounts
import Actions
import Blobs
import Curl
import Domain
import EventLoops
import FoundationEssentials
import HTTP
import Logging
import Media
import Notices
import Settings
import Store
import Submitters
import Web

/// Looks for what is missing or wrong and says how it is mended: for `pics doctor` and for the status page.
struct Doctor: Sendable {
    let runtime: Runtime
    let media: MediaPool

    /// What was found in one area, such as `disk`.
    struct Report {
        let area: String
        let finding: Finding
        /// Whether it works without, though not as well.
        let isAdvice: Bool
    }

    /// Problems that operators should know; a few statements.
    func findings() async throws -> [Finding] { try await reports().map(\.finding) }

    /// The same with the areas they are of, in the order of areas.
    func reports() async throws -> [Report] {
        let services = try await runtime.store.serviceStatus()
        let (nodes, fetching) = (try await runtime.store.nodes(), fetching(services))
        let all: [(area: String, findings: [Finding], isAdvice: Bool)] = [
            ("base_url", base(), true), ("base_url", await reach(for: fetching), fetching.isEmpty),
            ("proxy", proxies(nodes), true),
            ("certificate", try await certificate(), false), ("certificate", await ownCertificates(), false),
            ("front", try await front(), false), ("database", try await database(), false),
            ("database", try await replica(), false), ("database", try await connections(nodes), true),
            ("clock", try await clock(), false), ("disk", await disk(), false),
            ("permissions", await permissions(), false), ("processes", processes(nodes), false),
            ("backup", try await backup(), false), ("mail", await mail(), false),
            ("openid", try await openID(), false), ("bucket", await bucket(), false),
            ("files", try await files(), false), ("files", try await restoredFiles(), true),
            ("pictures", await pictures(), false),
            ("videos", await videos(), true),
            ("keys", try await keys(services), false), ("accounts", accounts(services), false),
            ("secrets", try await secrets(), false),
        ]
        return all.flatMap { area in
            area.findings.map { Report(area: area.area, finding: $0, isAdvice: area.isAdvice) }
        }
    }

    private func base() -> [Finding] {
        guard runtime.configuration.baseURL == nil else { return [] }
        return [
            Finding(
                Phrase("The address of this Pics is not set.", ja: "このPicsのアドレスが設定されていません。"),
                remedy: Phrase(
                    "Set `base_url`: links and services lead to the address that Pics listens at, which others may not reach.",
                    ja: "`base_url` を設定してください。未設定のままでは、リンクは待ち受けアドレスを指し、外部から届かないことがあります。"))
        ]
    }

    /// The address of this Pics: asked for as anybody could, who reaches no private address. Services that fetch files from it need it; where
    /// there are none, a router may not lead its own address back, and in a network of one's own nothing has to be public.
    private func reach(for services: [String]) async -> [Finding] {
        guard let base = runtime.configuration.baseURL?.text else { return [] }
        let way = await way(to: base)
        guard way == .elsewhere || (way == .notPublic && !services.isEmpty) else { return [] }
        guard services.isEmpty else {
            let names = services.joined(separator: ", ")
            return [
                Finding(
                    Phrase("\(base) does not lead to this Pics from outside.", ja: "\(base) は外部からこのPicsにつながりません。"),
                    remedy: Phrase(
                        "\(names) fetches files from there: let `base_url` be a public address that leads here.",
                        ja: "\(names) がそこからファイルを取得します。`base_url` を、このPicsにつながる公開アドレスにしてください。"))
            ]
        }
        return [
            Finding(
                Phrase(
                    "\(base) does not lead to this Pics, asked from this machine.",
                    ja: "このマシンからは \(base) でこのPicsにつながりません。"),
                remedy: Phrase(
                    "Open it from another network. If it fails there too, correct `base_url`, DNS, firewall or proxy.",
                    ja: "別のネットワークから開いてみてください。そこでもつながらない場合は、`base_url`・DNS・ファイアウォール・プロキシを確認してください。"))
        ]
    }

    /// The names of the services with accounts that fetch files from here.
    private func fetching(_ services: [ServiceStatus]) -> [String] {
        let used = Set(services.map(\.service))
        return runtime.registry.submitters.map(\.description).filter { $0.fetchesFiles && used.contains($0.id) }
            .map(\.name)
    }

    private enum Way { case here, elsewhere, notPublic }

    /// Where an address leads anybody who reaches no private one.
    private func way(to base: String) async -> Way {
        let request = OutgoingRequest(
            url: "\(base)/auth/client", fields: ["Accept": MediaType.json.description], timeout: .seconds(10))
        do throws(TransportError) {
            let body = try await runtime.transport.send(request).body
            return (try? JSONValue(parsing: body))?["client_id"]?.string == "\(base)/auth/client" ? .here : .elsewhere
        } catch {
            runtime.logger.info("the own address is not reached", ["address": base, "error": "\(error)"])
            if case .refusedAddress = error { return .notPublic }
            return .elsewhere
        }
    }

    /// The gallery of somebody who is not there, or has closed it, as the first page of strangers.
    func front() async throws -> [Finding] {
        guard case .gallery(let name) = runtime.configuration[PicsSettings.front] else { return [] }
        do throws(StoreError) {
            _ = try await runtime.store.gallery(named: name)
            return []
        } catch {
            guard error == .notFound else { throw error }
            return [
                Finding(
                    Phrase(
                        "`front` names the gallery of \(name), which is not open: strangers see the welcome.",
                        ja: "`front` に指定された \(name) のギャラリーは公開されていません。ログインしていない人には案内ページが表示されます。"),
                    remedy: Phrase(
                        "\(name) opens it in Settings, Gallery; or set `front` to another value.",
                        ja: "\(name) が設定の「ギャラリー」で公開するか、`front` を変更してください。"))
            ]
        }
    }

    /// A certificate that cannot be got.
    func certificate() async throws -> [Finding] {
        let names = runtime.configuration[PicsSettings.tlsDomain].map(\.text).joined(separator: " ")
        guard !names.isEmpty, let problem = try await runtime.store.certificate(for: names)?.problem else { return [] }
        return [
            Finding(
                Phrase("No new certificate for \(names): \(problem).", ja: "\(names) の新しい証明書を取得できません：\(problem)"),
                remedy: Phrase(
                    "Let these names and ports 80 and 443 lead to this Pics; SIGHUP tries again at once.",
                    ja: "これらの名前とポート80・443がこのPicsに届くようにしてください。SIGHUPを送るとすぐに再試行します。"))
        ]
    }

    /// A mail server that does not take mail of Pics.
    func mail() async -> [Finding] {
        guard let mail = runtime.mail else { return [] }
        do throws(SubmissionError) {
            try await mail.check()
            return []
        } catch {
            let problem = Phrase(error.problem)
            return [
                Finding(
                    Phrase(
                        "Mail cannot be sent: \(Language.english(problem))",
                        ja: "メールを送信できません：\(Language.japanese(problem))"),
                    remedy: Phrase(
                        "Check `mail_server`, `mail_from`, `mail_user` and `mail_password`; `pics mail test ADDRESS` says what the server answered.",
                        ja:
                            "`mail_server`・`mail_from`・`mail_user`・`mail_password` を確認してください。サーバーの応答は `pics mail test ADDRESS` で確認できます。"
                    ))
            ]
        }
    }

    /// An issuer of OpenID Connect that people cannot sign in by.
    func openID() async throws -> [Finding] {
        guard let chosen = try PicsSettings.openID(runtime.configuration) else { return [] }
        let issuer = OpenIDIssuer(
            chosen, transport: runtime.accounts.reader.transport, servers: runtime.configuration.serverPolicy,
            logger: runtime.logger)
        do throws(OpenIDFault) {
            try await issuer.check()
            return []
        } catch {
            let isAway = error == .unavailable
            return [
                Finding(
                    isAway
                        ? Phrase(
                            "\(chosen.issuer) does not answer: nobody can sign in by it.",
                            ja: "\(chosen.issuer) が応答しないため、ログインに使用できません。")
                        : Phrase(
                            "\(chosen.issuer) is no issuer of OpenID Connect, or calls itself otherwise.",
                            ja: "\(chosen.issuer) はOpenID Connectの発行者ではないか、別の名前を名乗っています。"),
                    remedy: Phrase(
                        "Check `oidc_issuer` and its certificate, which this system has to trust; the log says why.",
                        ja: "`oidc_issuer` と、このシステムで信頼されている必要がある証明書を確認してください。理由はログにあります。"))
            ]
        }
    }

    /// A bucket that does not take files.
    func bucket() async -> [Finding] {
        guard let bucket = runtime.bucket else { return [] }
        do throws(BlobError) {
            try await bucket.probe()
            return []
        } catch {
            return [
                Finding(
                    Phrase(
                        "The bucket \(bucket.shown) cannot be used: \(error).",
                        ja: "バケット \(bucket.shown) を使用できません：\(error)"),
                    remedy: Phrase(
                        "Check `s3_url`, `s3_bucket`, `s3_region` and the access key, which has to read, write, delete and list.",
                        ja: "`s3_url`・`s3_bucket`・`s3_region` と、読み取り・書き込み・削除・一覧の権限を持つアクセスキーを確認してください。"))
            ]
        }
    }

    /// Stored files that are missing or damaged, with some of their photos.
    func files() async throws -> [Finding] {
        let faults = try await runtime.store.blobFaults()
        let count = faults.missing + faults.damaged
        guard count > 0 else { return [] }
        let photos = try await runtime.store.faultyPhotos(limit: 5)
        let named = photos.isEmpty ? "" : ": \(photos.map(runtime.addresses.shortURL).joined(separator: ", "))"
        return [
            Finding(
                Phrase(
                    "\(faults.missing) stored files are missing, \(faults.damaged) are damaged\(named).",
                    ja: "保存されたファイルのうち\(faults.missing)件が失われ、\(faults.damaged)件が破損しています\(named)。"),
                remedy: Phrase(
                    "Restore them from a backup, or store their photos again; then `pics blobs check`.",
                    ja: "バックアップから復元するか、写真を再度アップロードしてから `pics blobs check` を実行してください。"))
        ]
    }

    /// Whether pictures can be opened here, by processes that can do nothing else.
    func pictures() async -> [Finding] {
        do throws(MediaError) {
            guard try await !media.isFiltered() else { return [] }
        } catch {
            guard case .failed = error else { return [] }
            return [
                Finding(
                    Phrase("Pictures cannot be opened.", ja: "画像を開けません。"),
                    remedy: Phrase(
                        "`media_program` names the program pics-media; the log says why it does not start.",
                        ja: "`media_program` でpics-mediaを指定してください。起動しない理由はログにあります。"))
            ]
        }
        return [
            Finding(
                Phrase(
                    "Pictures are opened without a filter of system calls.", ja: "画像がシステムコールのフィルターなしで開かれています。"),
                remedy: Phrase(
                    "Use a kernel with `CONFIG_SECCOMP_FILTER`, let the container call `seccomp`, and start Pics anew.",
                    ja: "`CONFIG_SECCOMP_FILTER` のあるカーネルを使い、コンテナに `seccomp` を許可して、Picsを再起動してください。"))
        ]
    }

    /// Services with accounts that have to be connected again, for which the application's keys are missing: it cannot be
    /// done in the browser. Accounts that work bring the keys they were connected with.
    private func keys(_ services: [ServiceStatus]) async throws -> [Finding] {
        let used = Set(services.filter { $0.accountsNeedingLogin > 0 }.map(\.service))
        guard !used.isEmpty else { return [] }
        let known = try await runtime.accounts.applications.known()
        return runtime.registry.submitters.compactMap { submitter in
            let service = submitter.description
            guard used.contains(service.id), let application = submitter as? any OAuthSubmitter else { return nil }
            let missing = application.missingKeys(of: known(service.id).keys)
            guard !missing.isEmpty else { return nil }
            let names = missing.map { "\(service.id.replacing("-", with: "_"))_\($0)" }.joined(separator: ", ")
            return Finding(
                Phrase("\(service.name): keys of the application are missing.", ja: "\(service.name)：アプリのキーがありません。"),
                remedy: Phrase(
                    "Set \(names); `pics doctor \(service.id)` says where they are got.",
                    ja: "\(names) を設定してください。入手先は `pics doctor \(service.id)` で確認できます。"))
        }
    }

    /// Services whose accounts need their owners.
    private func accounts(_ services: [ServiceStatus]) -> [Finding] {
        services.filter { $0.accountsNeedingLogin > 0 }.map { service in
            let name = runtime.registry.name(of: service.service)
            let count = service.accountsNeedingLogin
            return Finding(
                Phrase(
                    "\(name): \(count) account\(count == 1 ? " has" : "s have") to be connected again.",
                    ja: "\(name)：\(count)件のアカウントの再接続が必要です。"),
                remedy: Phrase(
                    "Their owners connect them in their settings or with `pics connect \(service.service)`.",
                    ja: "所有者が設定か `pics connect \(service.service)` で接続し直します。"))
        }
    }

    private func secrets() async throws -> [Finding] {
        guard try await KeyRotation(store: runtime.store, keys: runtime.keys).isPending() else { return [] }
        return [
            Finding(
                Phrase("Some secrets are sealed with an old key.", ja: "古い鍵で封印された秘密情報が残っています。"),
                remedy: Phrase("`pics rotate-key` goes on.", ja: "`pics rotate-key` で続行します。"))
        ]
    }

    /// Every account that cannot work, with its owner and why; opens the credentials of all.
    func troubledAccounts() async throws -> [(record: AccountRecord, owner: String, trouble: String)] {
        var found: [(record: AccountRecord, owner: String, trouble: String)] = []
        for user in try await runtime.store.users() {
            for record in try await runtime.store.connections(of: user.id) {
                guard let trouble = try await trouble(of: record) else { continue }
                found.append((record, user.name, trouble))
            }
        }
        return found
    }

    private func trouble(of record: AccountRecord) async throws -> String? {
        if runtime.registry[record.connection.service] == nil { return "this Pics does not know the service" }
        if record.connection.state == .needsLogin { return record.problem?.text ?? "it has to be connected again" }
        guard try await runtime.accounts.canOpen(record.connection.id, owner: record.connection.owner) else {
            return "no key opens its credentials; put the right key file back, or connect it again"
        }
        return nil
    }
}

/// The doctor's findings for pages, which are opened again and again: looked for at most twice a minute.
actor FindingsReader {
    private let doctor: Doctor
    private var reading: Task<[Finding], any Error>?
    private var begun = Moment.now
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private static let age = Duration.seconds(30)

    init(_ doctor: Doctor) {
        self.doctor = doctor
        loop = doctor.runtime.workLoop
    }

    func findings() async throws -> [Finding] {
        if let reading, Moment.now - begun < Self.age { return try await reading.value }
        begun = .now
        let task = Task(executorPreference: loop) { [doctor] in try await doctor.findings() }
        reading = task
        do {
            return try await task.value
        } catch {
            reading = nil
            throw error
        }
    }
}
