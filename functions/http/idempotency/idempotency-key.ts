import { canonicalJson, invalid, isDeeperThan, sha256 } from "../../../shared/kernel/index.ts";
import { toRequestKey } from "../../../shared/orders/index.ts";
import { callerId } from "../authentication/caller.ts";
import { type RequestContext, requireCaller } from "../context.ts";

/** The OpenAPI description of the header, for every write that accepts it. */
export const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header" as const,
  required: false,
  description:
    "A UUID, or another text of your choice, for one logical attempt. For 24 hours a repeat with the same key and body gets the first response with Idempotency-Replayed: true, and nothing happens twice. The same key with another body is 409.",
  schema: { type: "string" as const, minLength: 1, maxLength: 255 },
};

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key header; null without one. @throws Refusal VALIDATION_ERROR. */
export function readIdempotencyKey(c: RequestContext): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return null;
  if (!visibleCharacters.test(key)) {
    throw invalid("Idempotency-Key", "must be 1 to 255 visible characters");
  }
  return key;
}

/**
 * A digest of caller, route, Idempotency-Key and body; null without an Idempotency-Key. A write
 * that stores this digest in its own batch recognises a repeated request, even after a crash.
 */
export async function createRequestKey(c: RequestContext, body: unknown): Promise<string | null> {
  const key = readIdempotencyKey(c);
  if (key === null) return null;
  const { method, path } = c.req;
  const caller = await sha256(JSON.stringify([callerId(requireCaller(c)), method, path, key]));
  return toRequestKey(caller, await fingerprintBody(body));
}

/** A digest of the body that does not depend on the order of its fields. */
export async function fingerprintBody(body: unknown): Promise<string> {
  if (isDeeperThan(64, body)) throw invalid("body", "is nested too deeply");
  return sha256(canonicalJson(body));
}

/**
 * The idempotency key of a checkout. The key may be sent in the header, the body, or both.
 *
 * @throws Refusal VALIDATION_ERROR when header and body hold two different keys.
 */
export function readCheckoutKey(c: RequestContext, keyInBody: string | null): string | null {
  const keyInHeader = readIdempotencyKey(c);
  if (keyInHeader !== null && keyInBody !== null && keyInHeader !== keyInBody) {
    throw invalid("idempotency_key", "differs from the Idempotency-Key header");
  }
  return keyInHeader ?? keyInBody;
}
