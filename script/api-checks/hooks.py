"""What schemathesis does not know of the bodies that Pics takes."""

import schemathesis
from schemathesis.core.transforms import to_wire_text


@schemathesis.serializer("application/offset+octet-stream", "application/partial-upload", "image/*", "video/*")
def serialize_bytes(ctx, value):
    """A part of an upload, or a file, as it is."""
    if isinstance(value, bytes):
        return value
    data = getattr(value, "data", None)
    return data if isinstance(data, bytes) else to_wire_text(value).encode(errors="ignore")
