// libpq, and its one-letter field codes as integers: Swift does not read character macros.
#pragma once
#include <libpq-fe.h>

enum {
    pics_field_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
    pics_field_sqlstate = PG_DIAG_SQLSTATE,
    pics_field_message = PG_DIAG_MESSAGE_PRIMARY,
    pics_field_detail = PG_DIAG_MESSAGE_DETAIL,
    pics_field_hint = PG_DIAG_MESSAGE_HINT,
    pics_field_context = PG_DIAG_CONTEXT,
    pics_field_table = PG_DIAG_TABLE_NAME,
    pics_field_column = PG_DIAG_COLUMN_NAME,
    pics_field_constraint = PG_DIAG_CONSTRAINT_NAME,
};
