import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import {
  createLiveCaller,
  createLogin,
  dataOf,
  homeAddress,
  type LinkLogin,
  refusalBody,
} from "./create-logins.ts";

let shop: CreatedBusiness;
let login: LinkLogin;
let ask: LinkLogin["ask"];

beforeEach(async () => {
  shop = await createBusiness();
  login = await createLogin(shop);
  ask = login.ask;
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const wallet = { phone_number: "+233241234567", provider: "mtn", label: "Mine" };

const kinds = [
  { path: "/addresses", table: "link_addresses", body: homeAddress, rule: "ADDRESS_LIMIT" },
  { path: "/mobile-money", table: "link_mobile_money", body: wallet, rule: "MOBILE_MONEY_LIMIT" },
] as const;

/** Rules of both kinds of saved records (docs/contract/link.md#saved-data). */
describe.each(kinds)("$path", ({ path, table, body, rule }) => {
  const add = async (): Promise<string> => dataOf(await ask("POST", path, { body })).id;
  const list = async () => dataOf(await ask("GET", path));
  const defaults = async () =>
    (await list()).filter((record: { is_default: boolean }) => record.is_default);
  const defaultId = async () => {
    const [first, ...others] = await defaults();
    expect(others).toEqual([]);
    return first?.id;
  };

  it("lists in the order of saving, in 2 round trips; the first one is the default", async () => {
    const [first, second] = [await add(), await add()];
    const answer = await ask("GET", path);
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(answer)).toMatchObject([
      { id: first, is_default: true, usage_count: 0, last_used_at: null },
      { id: second, is_default: false },
    ]);
  });

  it("has one default after concurrent first saves", async () => {
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await list()).toHaveLength(8);
    expect(await defaults()).toHaveLength(1);
  });

  it("replaces the default, in 2 round trips", async () => {
    await add();
    const second = await add();
    const answer = await ask("POST", `${path}/${second}/default`);
    expect(dataOf(answer)).toMatchObject({ id: second, is_default: true });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(await defaultId()).toBe(second);
    await ask("POST", `${path}/${second}/default`);
    expect(await defaultId()).toBe(second);
  });

  it("has one default after concurrent changes", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, add));
    await Promise.all(ids.map((id) => ask("POST", `${path}/${id}/default`)));
    expect(ids).toContain(await defaultId());
  });

  it("keeps the default when an unknown one is chosen", async () => {
    const first = await add();
    expect((await ask("POST", `${path}/addr_none/default`)).status).toBe(404);
    expect(await defaultId()).toBe(first);
  });

  it("counts concurrent uses", async () => {
    const ownId = await add();
    await Promise.all(Array.from({ length: 5 }, () => ask("POST", `${path}/${ownId}/track-usage`)));
    const used = await ask("POST", `${path}/${ownId}/track-usage`);
    expect(dataOf(used)).toMatchObject({
      usage_count: 6,
      last_used_at: expect.stringMatching(/Z$/),
    });
  });

  it("replaces a removed default by the most recently used record", async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    await ask("POST", `${path}/${third}/track-usage`);
    vi.setSystemTime(Date.now() + 1_000);
    await ask("POST", `${path}/${second}/track-usage`);
    const answer = await ask("DELETE", `${path}/${first}`);
    expect([answer.status, dataOf(answer)]).toEqual([200, { id: first, deleted: true }]);
    expect(await defaultId()).toBe(second);
    await ask("DELETE", `${path}/${third}`);
    expect(await defaultId()).toBe(second);
    await ask("DELETE", `${path}/${second}`);
    expect(await list()).toEqual([]);
    expect((await ask("DELETE", `${path}/${second}`)).status).toBe(404);
    const next = await add();
    expect(await defaultId()).toBe(next);
  });

  it("keeps a default after concurrent removals", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, add));
    await Promise.all(ids.slice(0, 4).map((id) => ask("DELETE", `${path}/${id}`)));
    expect(await list()).toHaveLength(2);
    expect(await defaultId()).toBeDefined();
  });

  it("saves at most 50, also with concurrent calls", async () => {
    await Promise.all(Array.from({ length: 48 }, add));
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask("POST", path, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 422,
      body: refusalBody("BUSINESS_RULE_VIOLATION", { context: { rule, limit: 50 } }),
    });
    expect(await list()).toHaveLength(50);
  });

  it("returns 404 for another account's record", async () => {
    const id = await add();
    const other = await createLogin(shop);
    const calls = [
      ["POST", `/${id}/default`],
      ["POST", `/${id}/track-usage`],
      ["DELETE", `/${id}`],
      ...(path === "/addresses" ? [["POST", `/${id}`]] : [["POST", `/${id}/verify`]]),
    ] as const;
    for (const [method = "", tail] of calls) {
      const answer = await other.ask(method, `${path}${tail}`, {
        ...(tail === `/${id}` && method === "POST" && { body: { label: "Mine" } }),
      });
      expect(answer).toMatchObject({ status: 404, body: refusalBody("NOT_FOUND") });
    }
    expect(dataOf(await other.ask("GET", path))).toEqual([]);
    expect(await list()).toMatchObject([{ id, usage_count: 0, is_default: true }]);
  });

  it("returns the first response for a repeated Idempotency-Key, and saves once", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", path, { body, headers });
    const again = await ask("POST", path, { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await list()).toHaveLength(1);
    const changedBody = { ...body, label: "Another" };
    expect((await ask("POST", path, { body: changedBody, headers })).status).toBe(409);
    const other = await createLogin(shop);
    const theirs = await other.ask("POST", path, { body, headers });
    expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  it("seals stored responses and replays them in the account's next session", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", path, { body, headers });
    const { results } = await env.CORE.prepare(
      "select body from idempotency_keys where key = ? and business_id = 'link'",
    )
      .bind(headers["Idempotency-Key"])
      .all();
    expect(results).toHaveLength(1);
    expect(atob(String(results[0]?.body))).not.toContain('"Mine"'); // shorter texts may occur by chance
    const next = await createLogin(shop, { contact: login.contact });
    expect((await next.ask("POST", path, { body, headers })).body).toEqual(first.body);
  });

  it("is served by indexes", async () => {
    const { results } = await env.CORE.prepare(
      `explain query plan select * from ${table} where account_id = ? order by id`,
    )
      .bind(login.accountId)
      .all();
    expect(results.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(`USING INDEX ${table}_of_account \\(account_id=\\?\\)`),
    ]);
  });
});

describe("an address", () => {
  it("has the documented fields", async () => {
    vi.setSystemTime(Date.parse("2031-04-01T00:00:00Z"));
    const { ask } = await createLogin(shop);
    const body = { ...homeAddress, apartment: "4b", country: "GH" };
    expect((await ask("POST", "/addresses", { body })).body).toEqual({
      success: true,
      data: {
        ...body,
        id: expect.stringMatching(/^addr_/),
        is_default: true,
        usage_count: 0,
        last_used_at: null,
        created_at: "2031-04-01T00:00:00.000Z",
        updated_at: "2031-04-01T00:00:00.000Z",
      },
    });
  });

  it("is updated by a partial body; omitted fields stay, null clears", async () => {
    const { id } = dataOf(
      await ask("POST", "/addresses", { body: { ...homeAddress, apartment: "4b" } }),
    );
    const changed = await ask("POST", `/addresses/${id}`, {
      body: { label: "Work", apartment: null },
    });
    expect(dataOf(changed)).toMatchObject({ ...homeAddress, label: "Work", apartment: null });
    expect(roundTrips(changed)).toMatchObject({ d1: 2, do: 0 });
    const untouched = await ask("POST", `/addresses/${id}`, { body: {} });
    expect(dataOf(untouched)).toMatchObject({ ...homeAddress, label: "Work", is_default: true });
  });

  it.each([
    [{}, "street_address"],
    [{ ...homeAddress, street_address: " " }, "street_address"],
    [{ ...homeAddress, city: "x".repeat(101) }, "city"],
    [{ ...homeAddress, label: "a\u0000b" }, "label"],
  ])("is rejected as %j", async (body, field) => {
    const refused = await ask("POST", "/addresses", { body });
    expect(refused).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", { context: { field } }),
    });
    expect(dataOf(await ask("GET", "/addresses"))).toEqual([]);
  });
});

describe("a mobile-money account", () => {
  it.each([
    ["mtn", "mtn"],
    ["MTN_MoMo", "mtn"],
    ["vodafone", "vod"],
    ["Telecel-Cash", "vod"],
    ["AirtelTigo", "atl"],
    ["airtel", "atl"],
    ["M-Pesa", "mpesa"],
    ["safaricom", "mpesa"],
  ])("of %s is stored as %s", async (provider, code) => {
    const added = await ask("POST", "/mobile-money", { body: { ...wallet, provider } });
    expect(dataOf(added)).toEqual({
      id: expect.stringMatching(/^mm_/),
      phone_number: "+233241234567",
      provider: code,
      label: "Mine",
      is_default: true,
      is_verified: false,
      verified_at: null,
      usage_count: 0,
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it("parses a local number with the country of the account's phone", async () => {
    const body = { ...wallet, phone_number: "024 123 4567" };
    const added = await ask("POST", "/mobile-money", { body });
    expect(dataOf(added).phone_number).toBe("+233241234567");
  });

  it.each([
    [{ ...wallet, provider: "unknown" }, "provider"],
    [{ ...wallet, phone_number: "12" }, "phone_number"],
    [{ provider: "mtn" }, "phone_number"],
  ])("is rejected as %j", async (body, field) => {
    const refused = await ask("POST", "/mobile-money", { body });
    expect(refused).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", { context: { field } }),
    });
  });

  it.each([
    ["+233241234567", true],
    ["+233241230000", false],
  ])("%s is verified by the sandbox: reachable %s", async (phone_number, is_reachable) => {
    const { id } = dataOf(
      await ask("POST", "/mobile-money", { body: { ...wallet, phone_number } }),
    );
    const answer = await ask("POST", `/mobile-money/${id}/verify`);
    expect(dataOf(answer)).toEqual({ is_reachable, account_name: null });
    const [account] = dataOf(await ask("GET", "/mobile-money"));
    expect([account.is_verified, account.verified_at !== null]).toEqual([
      is_reachable,
      is_reachable,
    ]);
  });

  it("cannot be verified in live mode while the provider cannot be reached", async () => {
    const live = await createLiveCaller();
    const { id } = dataOf(await live("POST", "/mobile-money", { body: wallet }));
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("The connection failed.")));
    expect(await live("POST", `/mobile-money/${id}/verify`)).toMatchObject({
      status: 503,
      body: refusalBody("SERVICE_UNAVAILABLE", { retryable: true }),
    });
    expect((await live("POST", "/mobile-money/mm_none/verify")).status).toBe(404);
  });
});
