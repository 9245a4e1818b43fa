import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Answer, givenBusiness, roundTrips } from "../support/world.ts";
import { bearer, bodyOf, givenLogin, type LoggedIn, link, refusal } from "./given.ts";

const start = Date.parse("2031-02-01T00:00:00Z");
const day = 86_400_000;

let shop: CreatedBusiness;
let login: LoggedIn;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await givenBusiness();
  login = await givenLogin(shop);
});

const refresh = (refresh_token: string, key?: string, path = "/auth/refresh"): Promise<Answer> =>
  link("POST", path, {
    body: { refresh_token },
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const tokensOf = (answer: Answer): { session: string; refresh: string } => ({
  session: bodyOf(answer).session_token,
  refresh: bodyOf(answer).refresh_token,
});

const isOpen = async (token: string) => (await bearer(token)("GET", "/data")).status === 200;

describe.each(["/auth/refresh", "/elements/refresh"])("POST %s", (path) => {
  it("answers flat with the next pair, in one round trip, without a key", async () => {
    const answer = await refresh(login.refreshToken, undefined, path);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        session_token: expect.stringMatching(/^lnk_/),
        refresh_token: expect.stringMatching(/^rfr_/),
        expires_in: 3_600,
      },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 0 });
    const { session, refresh: next } = tokensOf(answer);
    expect(next).not.toBe(login.refreshToken);
    expect(await isOpen(session)).toBe(true);
    expect((await refresh(next, undefined, path)).status).toBe(200);
  });

  it.each([{}, { refresh_token: "" }, { refresh_token: 1 }])("refuses %j", async (body) => {
    expect((await link("POST", path, { body })).status).toBe(400);
  });

  it("refuses a token that was never issued", async () => {
    const refused = await refresh("rfr_0123456789", undefined, path);
    expect(refused).toMatchObject({ status: 401, body: refusal("UNAUTHORIZED") });
  });
});

describe("a refresh token", () => {
  it("that is used again ends its session, and every token of it", async () => {
    const { session, refresh: next } = tokensOf(await refresh(login.refreshToken));
    expect((await refresh(login.refreshToken)).status).toBe(401);
    expect((await refresh(next)).status).toBe(401);
    expect(await isOpen(session)).toBe(false);
    expect(await isOpen(login.token)).toBe(false);
  });

  it("that is used again leaves the account's other sessions alone", async () => {
    const other = await givenLogin(shop, { contact: login.contact });
    await refresh(login.refreshToken);
    await refresh(login.refreshToken);
    expect(await isOpen(login.token)).toBe(false);
    expect(await isOpen(other.token)).toBe(true);
  });

  it("that several use at once serves exactly one of them", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(login.refreshToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it("is good for 30 days, and each use makes it 30 more", async () => {
    vi.setSystemTime(start + 30 * day - 1_000);
    const { refresh: next } = tokensOf(await refresh(login.refreshToken));
    vi.setSystemTime(start + 59 * day);
    expect((await refresh(next)).status).toBe(200);
  });

  it("is worthless after 30 days", async () => {
    vi.setSystemTime(start + 30 * day);
    expect((await refresh(login.refreshToken)).status).toBe(401);
  });
});

describe("a refresh with an Idempotency-Key", () => {
  it("whose answer was lost gets the same pair again, and no second one", async () => {
    const first = await refresh(login.refreshToken, "once");
    vi.setSystemTime(start + 20_000);
    const again = await refresh(login.refreshToken, "once");
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await isOpen(tokensOf(again).session)).toBe(true);
  });

  it("serves all who repeat it at once with one pair", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refresh(login.refreshToken, "once")),
    );
    const [next, ...others] = new Set(answers.map((one) => tokensOf(one).refresh));
    expect(others).toEqual([]);
    expect((await refresh(next ?? "")).status).toBe(200);
  });

  it("is a theft under another key", async () => {
    const { session } = tokensOf(await refresh(login.refreshToken, "mine"));
    expect((await refresh(login.refreshToken, "thief")).status).toBe(401);
    expect(await isOpen(session)).toBe(false);
  });

  it("is a theft once the successor was used", async () => {
    const { refresh: next } = tokensOf(await refresh(login.refreshToken, "mine"));
    const { session } = tokensOf(await refresh(next));
    expect((await refresh(login.refreshToken, "mine")).status).toBe(401);
    expect(await isOpen(session)).toBe(false);
  });
});
