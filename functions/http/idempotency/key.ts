import { canonicalJson, invalid, isDeeperThan, sha256 } from "../../../shared/kernel/index.ts";
import { requestKey } from "../../../shared/orders/index.ts";
import type { RequestContext } from "../api-env.ts";
import { keyed } from "../context.ts";

/** The header as the documents show it, for every write that may be repeated with it. */
export const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header" as const,
  required: false,
  description:
    "Chosen per logical attempt, a UUID at best. For 24 hours a repeat with it is answered as the first was, with Idempotency-Replayed: true, and nothing happens twice; with another body it is 409.",
  schema: { type: "string" as const, minLength: 1, maxLength: 255 },
};

const visible = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key header, or null without one (interface.md, Limits). */
export function idempotencyKeyOf(c: RequestContext): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (!visible.test(key)) throw invalid("Idempotency-Key", "must be 1 to 255 visible characters");
  return key;
}

/**
 * By what a change that is stored together with its request knows its own repeat, also after a crash:
 * who asks, where and what, under which Idempotency-Key; null without the header. A key used at
 * another route is another key.
 */
export async function requestKeyOf(c: RequestContext, body: unknown): Promise<string | null> {
  const key = idempotencyKeyOf(c);
  if (key === null) return null;
  const { method, path } = c.req;
  const slot = await sha256(JSON.stringify([keyed(c).key.id, method, path, key]));
  return requestKey(slot, await fingerprintOf(body));
}

/** A digest of a body: equal for bodies that say the same. */
export async function fingerprintOf(body: unknown): Promise<string> {
  if (isDeeperThan(64, body)) throw invalid("body", "is nested too deeply");
  return sha256(canonicalJson(body));
}

/**
 * The key of a checkout, which may stand in its body as well (interface.md, Checkout).
 *
 * @throws Refusal VALIDATION_ERROR when header and body bear two different keys.
 */
export function checkoutKeyOf(c: RequestContext, inBody: string | null): string | null {
  const inHeader = idempotencyKeyOf(c);
  if (inHeader !== null && inBody !== null && inHeader !== inBody) {
    throw invalid("idempotency_key", "differs from the Idempotency-Key header");
  }
  return inHeader ?? inBody;
}
