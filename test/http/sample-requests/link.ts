import type { RecordKind } from "../create-customer-records.ts";
import { type SampleRequest, withBody, withoutFields } from "./sample-request.ts";

/** Requests of the Link API, by operation without the path prefix. */
export const linkRequests: Readonly<Record<string, readonly SampleRequest[]>> = {
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
  ...requestsWithId("address_id", {
    "POST /addresses/{id}": withBody({ label: "Work" }),
    "DELETE /addresses/{id}": withoutFields,
    "POST /addresses/{id}/default": withoutFields,
    "POST /addresses/{id}/track-usage": withoutFields,
  }),
  ...requestsWithId("mobile_money_id", {
    "DELETE /mobile-money/{id}": withoutFields,
    "POST /mobile-money/{id}/default": withoutFields,
    "POST /mobile-money/{id}/track-usage": withoutFields,
    "POST /mobile-money/{id}/verify": withoutFields,
  }),
  "POST /contacts": [
    {
      body: (id) => ({
        contact: "added@example.com",
        otp_code: "123456",
        confirmation: { contact_id: id("link_contact_id"), otp_code: "123456" },
      }),
    },
  ],
  "DELETE /contacts/{contact_id}": [{ path: { contact_id: "link_contact_id" } }],
  ...requestsWithId("pending_details_id", {
    "POST /pending-details/{id}/confirm": withoutFields,
  }),
  ...requestsWithId("other_pending_details_id", {
    "DELETE /pending-details/{id}": withoutFields,
  }),
  ...requestsWithId("link_platform_id", { "DELETE /platforms/{id}": withoutFields }),
  ...requestsWithId("link_session_id", { "DELETE /sessions/{id}": withoutFields }),
};

/** Sets the record kind of the path parameter `id`. */
function requestsWithId(
  kind: RecordKind,
  rows: Readonly<Record<string, readonly SampleRequest[]>>,
): Record<string, readonly SampleRequest[]> {
  return Object.fromEntries(
    Object.entries(rows).map(([operation, of]) => [
      operation,
      of.map((row) => ({ ...row, path: { id: kind } })),
    ]),
  );
}
