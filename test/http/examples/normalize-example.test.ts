import { describe, expect, it } from "vitest";
import { runtime } from "../../../functions/runtime/runtime.ts";
import { generateToken } from "../../../shared/kernel/index.ts";
import { createNormalizer } from "./normalize-example.ts";

const now = Date.parse("2029-12-20T12:04:07Z");

/** A call as it is recorded at a time. Its ids, tokens and times are new in each recording. */
function createCall(now: number) {
  const [order, other] = [runtime.newId("ord"), runtime.newId("ord")];
  const token = generateToken(runtime.randomBytes);
  const expiry = new Date(now + 900_000).toISOString();
  return {
    order_id: order,
    again: `https://duka.test/orders/${order}?token=bt_${token}`,
    other,
    request: crypto.randomUUID(),
    created_at: "2029-12-20T12:00:00.000Z",
    expires_at: expiry,
    session_expires_at: expiry.replace(/\.\d+Z/, ".000Z"),
    key: `sk_test_${token}`,
    scopes: ["a", "b", "c"],
    lines: [{ id: order }, { id: other }, { id: runtime.newId("ord") }],
  };
}

describe("createNormalizer", () => {
  it("gives two recordings of a call the same text", () => {
    const later = now + 6_123;
    const normalized = createNormalizer(now)(createCall(now));
    expect(createNormalizer(later)(createCall(later))).toEqual(normalized);
    const order = "ord_01k00000000000000000000001";
    expect(normalized).toEqual({
      order_id: order,
      again: `https://duka.example/orders/${order}?token=bt_example`,
      other: "ord_01k00000000000000000000002",
      request: "00000000-0000-4000-8000-000000000001",
      created_at: "2029-12-20T12:00:00.000Z",
      expires_at: "2029-12-20T12:45:00.000Z",
      session_expires_at: "2029-12-20T12:45:00.000Z",
      key: "sk_test_example",
      scopes: ["a", "b", "c"],
      lines: [{ id: order }, { id: "ord_01k00000000000000000000002" }],
    });
  });

  it("replaces every kind of key, token and signed address", () => {
    const word = generateToken(runtime.randomBytes);
    const jwt = `eyJ${word}.eyJ${word}.${word}`;
    const texts = [`pk_live_${word}`, `lnk_${jwt}`, jwt, `rfr_${word}`, `whsec_${word}+/=`];
    const safe = createNormalizer(now)([...texts, `/pay/${word}`, word]);
    expect(JSON.stringify(safe)).not.toMatch(/[0-9a-f]{9}/);
    expect(safe).toHaveLength(texts.length + 2);
  });
});
