/// Finds the name that a mistyped one was meant to be.
enum Spelling {
    /// The nearest of `names` if at most a third of the letters differ, three at most.
    static func suggestion(for name: String, among names: [String]) -> String? {
        let nearest = names.map { (name: $0, distance: distance(name, $0)) }.min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= min(3, max(1, name.count / 3)) else { return nil }
        return nearest.name
    }

    /// How many letters must be put in, taken out, exchanged or swapped with their neighbour: the optimal string
    /// alignment distance.
    static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var rows = [Array(0...second.count)]
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(rows[row][column + 1] + 1, next[column] + 1)
                best = min(best, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}
