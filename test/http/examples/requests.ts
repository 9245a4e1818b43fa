import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { sampleSecretKey } from "../create-business-records.ts";
import { preparingOperations, requestsFor } from "../faults/requests.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import type { Operation } from "../operations.ts";

/** What Paystack sends about a charge of another service that uses the same account. */
const paystackWebhook = JSON.stringify({
  event: "charge.success",
  data: { reference: "ref_example" },
});

/** The requests of an operation, with the periods of reports at the time of the recording. */
export function candidateRequests(operation: Operation): readonly FuzzedRequest[] {
  const requests = requestsFor(operation).map((request) => ({
    ...request,
    path: request.path.replaceAll(/2026-\d\d-/g, "2029-12-"),
  }));
  if (operation.method === "GET") return [...requests, ...requests.map(withoutQuery)];
  if (operation.path.endsWith("/paystack/webhook"))
    return requests.map(signWith(env.PAYSTACK_SECRET_KEY));
  return operation.path.includes("/webhook/{") ? requests.map(signWith(sampleSecretKey)) : requests;
}

const withoutQuery = (request: FuzzedRequest): FuzzedRequest => ({
  ...request,
  path: request.path.replace(/\?.*/, ""),
});

const signWith =
  (secretKey: string) =>
  (request: FuzzedRequest): FuzzedRequest => ({
    ...request,
    headers: {
      ...request.headers,
      "X-Paystack-Signature": createHmac("sha512", secretKey).update(paystackWebhook).digest("hex"),
    },
    body: paystackWebhook,
  });

type PreparingCall = Readonly<{ id: string; request?: FuzzedRequest }>;

/** The calls without which an operation is refused. */
export function preparingCalls(
  { id }: Operation,
  linkContacts: readonly string[],
): readonly PreparingCall[] {
  const preparing = preparingOperations.get(id);
  if (preparing !== undefined) return [{ id: preparing }];
  if (id !== "POST /v1/link/contacts") return [];
  return [...linkContacts, "added@example.com"].map(requestCode);
}

const requestCode = (contact: string): PreparingCall => ({
  id: "POST /v1/link/auth/request-otp",
  request: {
    path: "/v1/link/auth/request-otp",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ contact }),
    isGuest: false,
  },
});
