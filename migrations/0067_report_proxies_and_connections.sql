-- What a process has seen and may take, for the doctor.

ALTER TABLE nodes
    ADD COLUMN unknown_proxy    text,                       -- the address of a proxy that trusted_proxies does not name
    ADD COLUMN most_connections integer NOT NULL DEFAULT 0, -- to PostgreSQL; 0 where a process of an earlier release does not say
    ADD CONSTRAINT nodes_unknown_proxy_short CHECK (char_length(unknown_proxy) BETWEEN 1 AND 100),
    ADD CONSTRAINT nodes_most_connections_not_negative CHECK (most_connections >= 0);
