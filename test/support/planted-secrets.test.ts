import { afterEach, expect, it, vi } from "vitest";
import { log } from "../../functions/runtime/log.ts";
import { connectPaystack, createPaystackAccounts, keyOf } from "../payments/paystack-accounts.ts";
import { assertNoSecretFound, assertNoStoredSecret, takeFoundSecrets } from "./planted-secrets.ts";
import { selectRows } from "./select-rows.ts";
import { call, createBusiness } from "./world.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const key = keyOf("leaked");

it("finds a secret in a log line, also of a mocked console", () => {
  const leak = () => log("warn", "payment provider call failed", { authorization: key });
  leak();
  expect(takeFoundSecrets()).toEqual(["a log line of console.warn"]);
  const mocked = vi.spyOn(console, "warn").mockImplementation(() => {});
  leak();
  expect(mocked).toHaveBeenCalledOnce();
  expect(takeFoundSecrets()).toEqual(["a log line of console.warn"]);
});

it("finds a secret in a response and in its headers", async () => {
  const leaks = [new Response(key), new Response("", { headers: { "X-Debug": key } })];
  for (const leak of leaks) {
    await call("GET", "/health", { fetch: async () => leak });
    expect(() => assertNoSecretFound()).toThrow("the response to GET /health");
  }
});

it("finds a secret in an audit entry, and none after an account was connected", async () => {
  createPaystackAccounts("leaked");
  const shop = await createBusiness({ mode: "live", payments: "own" });
  expect((await connectPaystack(shop, key)).status).toBe(200);
  await assertNoStoredSecret();
  const leak = `update audit_entries set after = json_object('key', '${key}') where business_id = ?`;
  await selectRows(shop, leak, shop.business.id);
  await expect(assertNoStoredSecret()).rejects.toThrow("audit_entries.after");
  await selectRows(shop, "delete from audit_entries where business_id = ?", shop.business.id);
});
