/// The named values of an event, in the order they are written: `["photo": id, "bytes": count]`.
///
/// A value is anything that describes itself on purpose. `nil` leaves the field out. What must stay secret is wrapped
/// in a type whose description hides it.
package struct LogFields: ExpressibleByDictionaryLiteral {
    let elements: [(name: String, value: any CustomStringConvertible)]

    package init(dictionaryLiteral elements: (String, (any CustomStringConvertible)?)...) {
        self.elements = elements.compactMap { name, value in value.map { (name, $0) } }
    }
}
