import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { type ApiResponse, createBusiness, roundTrips } from "../support/world.ts";
import {
  bearerCaller,
  bodyOf,
  callLink,
  createLogin,
  type LinkLogin,
  refusalBody,
} from "./create-logins.ts";

const start = Date.parse("2031-02-01T00:00:00Z");

let shop: CreatedBusiness;
let login: LinkLogin;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  login = await createLogin(shop);
});

const refresh = (
  refresh_token: string,
  key?: string,
  path = "/auth/refresh",
): Promise<ApiResponse> =>
  callLink("POST", path, {
    body: { refresh_token },
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const tokensOf = (answer: ApiResponse): { session: string; refresh: string } => ({
  session: bodyOf(answer).session_token,
  refresh: bodyOf(answer).refresh_token,
});

const isActive = async (token: string) =>
  (await bearerCaller(token)("GET", "/data")).status === 200;

describe.each(["/auth/refresh", "/elements/refresh"])("POST %s", (path) => {
  it("returns new tokens without an envelope, in one round trip", async () => {
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
    expect(await isActive(session)).toBe(true);
    expect((await refresh(next, undefined, path)).status).toBe(200);
  });

  it.each([{}, { refresh_token: "" }, { refresh_token: 1 }])("rejects %j", async (body) => {
    expect((await callLink("POST", path, { body })).status).toBe(400);
  });

  it("rejects an unknown token", async () => {
    const refused = await refresh("rfr_0123456789", undefined, path);
    expect(refused).toMatchObject({ status: 401, body: refusalBody("UNAUTHORIZED") });
  });
});

describe("a refresh token", () => {
  it("that is reused revokes its session with all its tokens", async () => {
    const { session, refresh: next } = tokensOf(await refresh(login.refreshToken));
    expect((await refresh(login.refreshToken)).status).toBe(401);
    expect((await refresh(next)).status).toBe(401);
    expect(await isActive(session)).toBe(false);
    expect(await isActive(login.token)).toBe(false);
  });

  it("that is reused does not revoke the account's other sessions", async () => {
    const other = await createLogin(shop, { contact: login.contact });
    await refresh(login.refreshToken);
    await refresh(login.refreshToken);
    expect(await isActive(login.token)).toBe(false);
    expect(await isActive(other.token)).toBe(true);
  });

  it("works for one of several concurrent calls", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(login.refreshToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it("is valid for 30 days; each refresh extends the session", async () => {
    vi.setSystemTime(start + 30 * day - 1_000);
    const { refresh: next } = tokensOf(await refresh(login.refreshToken));
    vi.setSystemTime(start + 59 * day);
    expect((await refresh(next)).status).toBe(200);
  });

  it("expires after 30 days", async () => {
    vi.setSystemTime(start + 30 * day);
    expect((await refresh(login.refreshToken)).status).toBe(401);
  });
});

describe("a refresh with an Idempotency-Key", () => {
  it("returns the same tokens when repeated", async () => {
    const first = await refresh(login.refreshToken, "once");
    vi.setSystemTime(start + 20_000);
    const again = await refresh(login.refreshToken, "once");
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await isActive(tokensOf(again).session)).toBe(true);
  });

  it("returns the same tokens to concurrent calls", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refresh(login.refreshToken, "once")),
    );
    const [next, ...others] = new Set(answers.map((one) => tokensOf(one).refresh));
    expect(others).toEqual([]);
    expect((await refresh(next ?? "")).status).toBe(200);
  });

  it("counts as reuse with another key", async () => {
    const { session } = tokensOf(await refresh(login.refreshToken, "first"));
    expect((await refresh(login.refreshToken, "other")).status).toBe(401);
    expect(await isActive(session)).toBe(false);
  });

  it("counts as reuse once the new token was used", async () => {
    const { refresh: next } = tokensOf(await refresh(login.refreshToken, "first"));
    const { session } = tokensOf(await refresh(next));
    expect((await refresh(login.refreshToken, "first")).status).toBe(401);
    expect(await isActive(session)).toBe(false);
  });
});
