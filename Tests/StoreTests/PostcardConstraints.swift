/// An order of a card that is inserted with these values.
private func printOrder(_ columns: String, _ values: String) -> String {
    """
    INSERT INTO print_orders
           (id, owner_id, photo_id, connection_id, fingerprint, sealed, format, price_minor, price_currency, is_sandbox\(columns))
    SELECT gen_random_uuid(), p.owner_id, p.id, c.id, sha256('a'), '', '4x6', 270, 'GBP', true\(values)
      FROM photos p, connections c LIMIT 1
    """
}

/// The same, one value changed afterwards.
private func printOrder(changing change: String) -> String {
    """
    DO $$ DECLARE made uuid;
    BEGIN
        \(printOrder("", "")) RETURNING id INTO made;
        UPDATE print_orders SET \(change) WHERE id = made;
    END $$
    """
}

extension ConstraintTests {
    /// Orders of cards that the database refuses.
    static let refusedPostcards = [
        Refused("print_orders_request_key_form", printOrder(", request_key", ", '\\x00'")),
        Refused("print_orders_fingerprint_form", printOrder(changing: "fingerprint = ''")),
        Refused("print_orders_sealed_short", printOrder(changing: "sealed = decode(repeat('00', 65537), 'hex')")),
        Refused("print_orders_format_short", printOrder(changing: "format = ''")),
        Refused("print_orders_price_natural", printOrder(changing: "price_minor = -1")),
        Refused("print_orders_currency_form", printOrder(changing: "price_currency = 'eur'")),
        Refused("print_orders_state_known", printOrder(", state", ", 'lost'")),
        Refused("print_orders_remote_id_short", printOrder(", remote_id", ", ''")),
        Refused("print_orders_ordered_has_id", printOrder(", state", ", 'ordered'")),
        Refused("print_orders_waiting_has_order", printOrder(changing: "sealed = NULL")),
        Refused("print_orders_addresses_short", printOrder(", tracking_url", ", repeat('a', 2049)")),
        Refused(
            "outgoing_files_for_one",
            """
            INSERT INTO outgoing_files (hash, photo_id, sha256, expires_at)
            SELECT sha256('a'), id, sha256, now() FROM photos
            """),
    ]
}
