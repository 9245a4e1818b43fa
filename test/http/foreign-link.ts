import { plain, type Row, withBody } from "./foreign-row.ts";
import type { Kind } from "./foreign-world.ts";

/** interface.md, Link API, beneath its prefix. */
export const linkCalls: Readonly<Record<string, readonly Row[]>> = {
  "POST /enroll-and-link-order": [
    { body: (id) => ({ order_id: id("order_id"), business_id: id("business_id") }) },
    {
      body: (id) => ({
        order_id: id("order_id"),
        business_id: id("business_id"),
        bill_token: id("bill_token"),
      }),
    },
  ],
  "POST /preferences": [{ body: (id) => ({ default_address_id: id("address_id") }) }],
  ...of("address_id", {
    "POST /addresses/{id}": withBody({ label: "Mine" }),
    "DELETE /addresses/{id}": plain,
    "POST /addresses/{id}/default": plain,
    "POST /addresses/{id}/track-usage": plain,
  }),
  ...of("mobile_money_id", {
    "DELETE /mobile-money/{id}": plain,
    "POST /mobile-money/{id}/default": plain,
    "POST /mobile-money/{id}/track-usage": plain,
    "POST /mobile-money/{id}/verify": plain,
  }),
  ...of("link_session_id", { "DELETE /sessions/{id}": plain }),
};

/** Rows whose path calls an identifier of the kind just `id`. */
function of(
  kind: Kind,
  rows: Readonly<Record<string, readonly Row[]>>,
): Record<string, readonly Row[]> {
  return Object.fromEntries(
    Object.entries(rows).map(([operation, of]) => [
      operation,
      of.map((row) => ({ ...row, path: { id: kind } })),
    ]),
  );
}
