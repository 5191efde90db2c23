internal import FoundationEssentials
internal import Store
internal import System

/// How the tries of the last 24 hours ended, drawn and as a table.
struct QueueChart {
    /// 24, oldest first.
    let hours: [Hour]
    let language: Language

    struct Hour {
        let begins: Date
        var published = 0
        var putOff = 0
        var failed = 0
    }

    init(_ history: [QueueHour], _ language: Language, now: Date) {
        self.language = language
        let present = (now.timeIntervalSince1970 / 3600).rounded(.down) * 3600
        hours = (0..<24).map { index in
            let begins = Date(timeIntervalSince1970: present - Double(23 - index) * 3600)
            let found = history.first { abs($0.begins.timeIntervalSince(begins)) < 1 }
            var hour = Hour(begins: begins)
            for (outcome, count) in found?.outcomes ?? [:] {
                switch outcome {
                case "done", "edited", "deleted": hour.published += count
                case "rejected", "unauthorized", "unknown", "gone": hour.failed += count
                case "cancelled": break
                default: hour.putOff += count
                }
            }
            return hour
        }
    }

    var html: HTML {
        let bars = hours.map { hour in
            let clock = language.clock(hour.begins, in: .utc)
            return StackedBars.Bar(
                name: clock, title: "\(clock) UTC", counts: [hour.published, hour.putOff, hour.failed])
        }
        return StackedBars(
            language: language, unit: .hour,
            parts: [(.published, "published"), (.triedAgain, "off"), (.failed, "failed")], bars: bars, labelled: 6
        ).html
    }
}
