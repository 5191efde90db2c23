/// A link to another resource for the `Link` field (RFC 8288).
package struct Link: Sendable, Equatable, CustomStringConvertible {
    /// An absolute URL or a path, percent-encoded.
    package let target: String
    /// The relation, such as `next`.
    package let relation: String
    /// Further attributes such as `type`.
    package let attributes: [FieldParameter]

    /// Takes the parts as they are.
    package init(_ target: String, rel relation: String, attributes: [FieldParameter] = []) {
        self.target = target
        self.relation = relation
        self.attributes = attributes
    }

    /// `<target>; rel="next"`; what would end the target early is percent-encoded.
    package var description: String {
        let target = PercentEncoding.encode(target, only: "<>")
        return "<\(target)>; rel=\"\(relation)\"" + attributes.map { "; \($0.serialized)" }.joined()
    }
}

extension HTTPFields {
    /// Sets the `Link` field to these links; none removes it.
    package mutating func setLinks(_ links: [Link]) {
        remove("Link")
        if !links.isEmpty { add("Link", links.map(\.description).joined(separator: ", ")) }
    }
}
