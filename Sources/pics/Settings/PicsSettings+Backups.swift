import Backups
import Blobs
import EventLoops
import FoundationEssentials
import HTTP
import Settings

/// Where backups go, and how many are kept.
extension PicsSettings {
    static let backupTo = Setting(
        "backup_to", default: String?.none,
        meaning: "Where backups are kept: a folder, or s3://BUCKET/FOLDER. On another disk or machine than the photos.")
    static let backupEvery = Setting(
        "backup_every", default: Duration.seconds(86_400), in: .zero...Duration.seconds(31 * 86_400),
        meaning: "How often a running Pics makes a backup at backup_to; 0: only when `pics backup` is called.")
    static let backupPassphrase = Setting(
        "backup_passphrase", default: String?.none, isSecret: true,
        meaning: "Encrypts backups. Keep it elsewhere: without it they cannot be read.")
    static let backupWithKey = Setting(
        "backup_with_key", default: false,
        meaning:
            "Whether secret.key is in the backups. With it, whoever can read them can use the connected accounts; without it, keep a copy of the file."
    )
    static let backupDays = Setting(
        "backup_days", default: 7, in: 0...10_000, unit: "backups",
        meaning: "Of how many days the newest backup is kept, beside those of the last 24 hours.")
    static let backupWeeks = Setting(
        "backup_weeks", default: 4, in: 0...10_000, unit: "backups",
        meaning: "Of how many weeks the newest backup is kept.")
    static let backupMonths = Setting(
        "backup_months", default: 12, in: 0...10_000, unit: "backups",
        meaning: "Of how many months the newest backup is kept.")
    static let backupS3URL = Setting(
        "backup_s3_url", default: WebAddress?.none, meaning: "The store of a bucket for backups; without it, s3_url.")
    static let backupS3Region = Setting(
        "backup_s3_region", default: String?.none, meaning: "Its region; without it, s3_region.")
    static let backupS3AccessKey = Setting(
        "backup_s3_access_key", default: String?.none, meaning: "Its access key; without it, s3_access_key.")
    static let backupS3SecretKey = Setting(
        "backup_s3_secret_key", default: String?.none, isSecret: true, meaning: "The secret of backup_s3_access_key.")

    static let backups = SettingSection(
        "Backups",
        [
            backupTo, backupEvery, backupPassphrase, backupWithKey, backupDays, backupWeeks, backupMonths, backupS3URL,
            backupS3Region, backupS3AccessKey, backupS3SecretKey,
        ])

    static func backupSchedule(_ configuration: Configuration) -> BackupSchedule {
        BackupSchedule(
            days: configuration[backupDays], weeks: configuration[backupWeeks], months: configuration[backupMonths])
    }

    /// The files of a place for backups: of the one that is named, else of `backup_to`.
    ///
    /// - Throws: `CommandFailure` when there is none, or a bucket's settings are missing.
    static func backupFiles(
        _ named: String?, _ configuration: Configuration, threads: BlockingThreads
    ) throws -> NamedFiles {
        guard let place = named ?? configuration[backupTo] else {
            throw UsageError("Name a place, such as `pics backup /mnt/backup` or s3://bucket/pics, or set backup_to.")
        }
        guard place.hasPrefix("s3://") else {
            let path = place.hasPrefix("/") ? place : "\(FileManager.default.currentDirectoryPath)/\(place)"
            return NamedFiles(.folder(path), threads: threads)
        }
        let parts = place.dropFirst("s3://".count).split(separator: "/", maxSplits: 1).map(String.init)
        guard let name = parts.first else { throw CommandFailure("\(place) names no bucket.") }
        guard let url = configuration[backupS3URL] ?? configuration[s3URL] else {
            throw CommandFailure(
                "Set backup_s3_url to the store of \(place), such as https://s3.eu-central-1.amazonaws.com.")
        }
        let hasOwnKey = configuration[backupS3AccessKey] != nil
        let bucket = try bucket(
            name, prefix: parts.count > 1 ? parts[1] : "", at: url,
            region: configuration[backupS3Region] ?? configuration[s3Region],
            accessKey: configuration[backupS3AccessKey] ?? configuration[s3AccessKey],
            secretKey: hasOwnKey ? configuration[backupS3SecretKey] : configuration[s3SecretKey], configuration,
            threads: threads, environment: ProcessInfo.processInfo.environment)
        return NamedFiles(.bucket(bucket), threads: threads)
    }
}
