-- Ends the deletion of a user: no photo, no like and no account is left. Of orders and imports nothing is kept. Uploads are forgotten by their own sweep, keys and
-- the address for mail here.
CREATE OR REPLACE FUNCTION forget_user(p_user uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tokens WHERE user_id = p_user;
    DELETE FROM print_orders WHERE owner_id = p_user;
    DELETE FROM reports r USING photos p WHERE p.id = r.photo_id AND p.owner_id = p_user;
    DELETE FROM imported_items WHERE owner_id = p_user;
    DELETE FROM imports WHERE owner_id = p_user;
    DELETE FROM mails WHERE user_id = p_user;
    DELETE FROM mail_addresses WHERE user_id = p_user;
    DELETE FROM mail_confirmations WHERE user_id = p_user;
    DELETE FROM password_resets WHERE user_id = p_user;
    UPDATE users SET forgotten_at = now() WHERE id = p_user AND deleted_at IS NOT NULL AND forgotten_at IS NULL;
END $$;
