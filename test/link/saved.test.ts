import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness, roundTrips } from "../support/world.ts";
import { dataOf, givenLiveLogin, givenLogin, home, type LoggedIn, refusal } from "./given.ts";

let shop: CreatedBusiness;
let login: LoggedIn;
let ask: LoggedIn["ask"];

beforeEach(async () => {
  shop = await givenBusiness();
  login = await givenLogin(shop);
  ask = login.ask;
});

const wallet = { phone_number: "+233241234567", provider: "mtn", label: "Mine" };

const kinds = [
  { path: "/addresses", table: "link_addresses", body: home, rule: "ADDRESS_LIMIT" },
  { path: "/mobile-money", table: "link_mobile_money", body: wallet, rule: "MOBILE_MONEY_LIMIT" },
] as const;

/** What addresses and mobile-money accounts have in common (completions.md 13). */
describe.each(kinds)("$path", ({ path, table, body, rule }) => {
  const add = async (): Promise<string> => dataOf(await ask("POST", path, { body })).id;
  const list = async () => dataOf(await ask("GET", path));
  const defaults = async () =>
    (await list()).filter((one: { is_default: boolean }) => one.is_default);
  const defaultId = async () => {
    const [first, ...others] = await defaults();
    expect(others).toEqual([]);
    return first?.id;
  };

  it("lists in the order of saving, in 2 round trips; the first is the default", async () => {
    const [first, second] = [await add(), await add()];
    const answer = await ask("GET", path);
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(dataOf(answer)).toMatchObject([
      { id: first, is_default: true, usage_count: 0, last_used_at: null },
      { id: second, is_default: false },
    ]);
  });

  it("has one default, however many first ones are saved at once", async () => {
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await list()).toHaveLength(8);
    expect(await defaults()).toHaveLength(1);
  });

  it("makes another the default and clears the first, in 2 round trips", async () => {
    await add();
    const second = await add();
    const answer = await ask("POST", `${path}/${second}/default`);
    expect(dataOf(answer)).toMatchObject({ id: second, is_default: true });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(await defaultId()).toBe(second);
    await ask("POST", `${path}/${second}/default`);
    expect(await defaultId()).toBe(second);
  });

  it("has one default, whichever are chosen at once", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, add));
    await Promise.all(ids.map((id) => ask("POST", `${path}/${id}/default`)));
    expect(ids).toContain(await defaultId());
  });

  it("keeps the default when one that is not there is chosen", async () => {
    const first = await add();
    expect((await ask("POST", `${path}/addr_none/default`)).status).toBe(404);
    expect(await defaultId()).toBe(first);
  });

  it("counts every use, also those at once", async () => {
    const mine = await add();
    await Promise.all(Array.from({ length: 5 }, () => ask("POST", `${path}/${mine}/track-usage`)));
    const used = await ask("POST", `${path}/${mine}/track-usage`);
    expect(dataOf(used)).toMatchObject({
      usage_count: 6,
      last_used_at: expect.stringMatching(/Z$/),
    });
  });

  it("hands a removed default over to the one that was used last", async () => {
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

  it("keeps a default when several are removed at once", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, add));
    await Promise.all(ids.slice(0, 4).map((id) => ask("DELETE", `${path}/${id}`)));
    expect(await list()).toHaveLength(2);
    expect(await defaultId()).toBeDefined();
  });

  it("keeps at most 50, also of those that are saved at once", async () => {
    await Promise.all(Array.from({ length: 48 }, add));
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask("POST", path, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule, limit: 50 } }),
    });
    expect(await list()).toHaveLength(50);
  });

  it("does not show, change or remove another account's", async () => {
    const id = await add();
    const stranger = await givenLogin(shop);
    const calls = [
      ["POST", `/${id}/default`],
      ["POST", `/${id}/track-usage`],
      ["DELETE", `/${id}`],
      ...(path === "/addresses" ? [["POST", `/${id}`]] : [["POST", `/${id}/verify`]]),
    ] as const;
    for (const [method = "", tail] of calls) {
      const answer = await stranger.ask(method, `${path}${tail}`, {
        ...(tail === `/${id}` && method === "POST" && { body: { label: "Mine" } }),
      });
      expect(answer).toMatchObject({ status: 404, body: refusal("NOT_FOUND") });
    }
    expect(dataOf(await stranger.ask("GET", path))).toEqual([]);
    expect(await list()).toMatchObject([{ id, usage_count: 0, is_default: true }]);
  });

  it("answers a repeated Idempotency-Key with the first answer, and saves once", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", path, { body, headers });
    const again = await ask("POST", path, { body, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await list()).toHaveLength(1);
    const other = { ...body, label: "Another" };
    expect((await ask("POST", path, { body: other, headers })).status).toBe(409);
    const stranger = await givenLogin(shop);
    const theirs = await stranger.ask("POST", path, { body, headers });
    expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  it("keeps the answers of keys where nobody can read them, for the same account's next session", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await ask("POST", path, { body, headers });
    const { results } = await env.CORE.prepare(
      "select body from idempotency_keys where key = ? and business_id = 'link'",
    )
      .bind(headers["Idempotency-Key"])
      .all();
    expect(results).toHaveLength(1);
    expect(atob(String(results[0]?.body))).not.toContain('"Mine"'); // shorter ones come by chance
    const next = await givenLogin(shop, { contact: login.contact });
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
  it("has the fields of completions.md 13", async () => {
    vi.setSystemTime(Date.parse("2031-04-01T00:00:00Z"));
    const { ask } = await givenLogin(shop);
    const body = { ...home, apartment: "4b", country: "GH" };
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

  it("is changed by a partial body; what is left out stays, null clears", async () => {
    const { id } = dataOf(await ask("POST", "/addresses", { body: { ...home, apartment: "4b" } }));
    const changed = await ask("POST", `/addresses/${id}`, {
      body: { label: "Work", apartment: null },
    });
    expect(dataOf(changed)).toMatchObject({ ...home, label: "Work", apartment: null });
    expect(roundTrips(changed)).toMatchObject({ d1: 2, do: 0 });
    const untouched = await ask("POST", `/addresses/${id}`, { body: {} });
    expect(dataOf(untouched)).toMatchObject({ ...home, label: "Work", is_default: true });
  });

  it.each([
    [{}, "street_address"],
    [{ ...home, street_address: " " }, "street_address"],
    [{ ...home, city: "x".repeat(101) }, "city"],
    [{ ...home, label: "a\u0000b" }, "label"],
  ])("is refused as %j", async (body, field) => {
    const refused = await ask("POST", "/addresses", { body });
    expect(refused).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field } }),
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
  ])("of %s is kept as %s", async (provider, code) => {
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

  it("reads a local number with the country of the account's own phone", async () => {
    const body = { ...wallet, phone_number: "024 123 4567" };
    const added = await ask("POST", "/mobile-money", { body });
    expect(dataOf(added).phone_number).toBe("+233241234567");
  });

  it.each([
    [{ ...wallet, provider: "unheard of" }, "provider"],
    [{ ...wallet, phone_number: "12" }, "phone_number"],
    [{ provider: "mtn" }, "phone_number"],
  ])("is refused as %j", async (body, field) => {
    const refused = await ask("POST", "/mobile-money", { body });
    expect(refused).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field } }),
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

  it("cannot be verified in live mode, where nobody can be asked", async () => {
    const live = await givenLiveLogin();
    const { id } = dataOf(await live("POST", "/mobile-money", { body: wallet }));
    expect(await live("POST", `/mobile-money/${id}/verify`)).toMatchObject({
      status: 503,
      body: refusal("SERVICE_UNAVAILABLE", { retryable: true }),
    });
    expect((await live("POST", "/mobile-money/mm_none/verify")).status).toBe(404);
  });
});
