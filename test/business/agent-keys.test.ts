import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { loadSigningKey } from "../../shared/agents/index.ts";
import { type CreatedBusiness, rotateDataKeys } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { createKey } from "../support/create-key.ts";
import { call, contextFor, createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const keyContext = (keyring = settingsOf(env).credentialsKeyring) => ({
  ...contextFor(shop),
  core: openDb(env.CORE, createMeter()),
  keyring,
});

const rotate = (body: object = {}, headers: Record<string, string> = {}) =>
  merchant(shop)("POST", "/agent-keys/rotate", { body, headers });

describe("POST /agent-keys/rotate", () => {
  it("replaces the key that signs, and keeps the former one for seven days", async () => {
    const before = await loadSigningKey(keyContext(), shop.business.id);
    const response = await rotate();
    expect(response.status).toBe(200);
    const [active, former] = dataOf(response);
    expect(active).toMatchObject({ retired_at: null, published_until: null });
    expect(former.kid).toBe(before?.kid);
    expect(Date.parse(former.published_until) - Date.parse(former.retired_at)).toBe(604_800_000);
    expect((await loadSigningKey(keyContext(), shop.business.id))?.kid).toBe(active.kid);
  });

  it("withdraws earlier keys at once when it is asked to", async () => {
    await rotate();
    const keys = dataOf(await rotate({ withdraw_earlier: true }));
    expect(keys).toHaveLength(1);
  });

  it("rotates once when the call is repeated", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await rotate({}, headers);
    const repeated = await rotate({}, headers);
    expect(repeated.body).toEqual(first.body);
    expect(dataOf(await rotate())).toHaveLength(2);
  });

  it("needs the scope of the settings, and its own business", async () => {
    const weak = await createKey(shop, { scopes: ["orders:write"] });
    const path = `/v1/businesses/${shop.business.id}/agent-keys/rotate`;
    const options = { headers: { "X-API-Key": weak }, body: {} };
    expect((await call("POST", path, options)).status).toBe(403);
    const other = await createKey(await createBusiness());
    const foreign = { headers: { "X-API-Key": other }, body: {} };
    expect((await call("POST", path, foreign)).status).not.toBe(200);
  });
});

it("keeps signing after the rotation of CREDENTIALS_KEY", async () => {
  const [newest, older] = settingsOf(env).credentialsKeyring;
  if (!newest || !older) throw new Error("The tests need two credentials keys.");
  const before = await loadSigningKey(keyContext([older]), shop.business.id);
  const rotation = { ...keyContext([newest, older]) };
  for (let after: string | null = ""; after !== null; )
    after = (await rotateDataKeys(rotation, after)).next;
  const afterwards = await loadSigningKey(keyContext([newest]), shop.business.id);
  expect(afterwards?.kid).toBe(before?.kid);
});
