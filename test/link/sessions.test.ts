import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, roundTrips } from "../support/world.ts";
import { callLink, createLogin, dataOf, refusalBody, uniqueEmail } from "./create-logins.ts";

const start = Date.parse("2031-03-01T00:00:00Z");

let shop: CreatedBusiness;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
});

/** Two sessions of one account, the second from a phone in Ghana. */
async function createTwoLogins() {
  const contact = uniqueEmail();
  const first = await createLogin(shop, { contact });
  vi.setSystemTime(Date.now() + 60_000);
  const headers = { "User-Agent": "Phone/1.0", "CF-IPCountry": "GH" };
  const second = await createLogin(shop, { contact, headers });
  return { first, second };
}

describe("GET /sessions", () => {
  it("lists the account's sessions, the newest first", async () => {
    const { first, second } = await createTwoLogins();
    const answer = await first.ask("GET", "/sessions");
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(answer.body).toEqual({
      success: true,
      data: [
        {
          id: expect.stringMatching(/^ses_/),
          device: "Phone/1.0",
          country: "GH",
          created_at: "2031-03-01T00:01:00.000Z",
          last_used_at: "2031-03-01T00:01:00.000Z",
          expires_at: "2031-03-31T00:01:00.000Z",
          is_current: false,
        },
        expect.objectContaining({
          created_at: "2031-03-01T00:00:00.000Z",
          last_used_at: "2031-03-01T00:01:00.000Z",
          is_current: true,
        }),
      ],
    });
    expect(dataOf(await second.ask("GET", "/sessions"))[0].is_current).toBe(true);
  });

  it("returns the last use to the minute", async () => {
    const { ask } = await createLogin(shop);
    const loadLastUsedAt = async () => dataOf(await ask("GET", "/sessions"))[0].last_used_at;
    vi.setSystemTime(start + 59_999);
    expect(await loadLastUsedAt()).toBe("2031-03-01T00:00:00.000Z");
    vi.setSystemTime(start + 60_000);
    expect(await loadLastUsedAt()).toBe("2031-03-01T00:01:00.000Z");
  });

  it("omits revoked sessions", async () => {
    const { first, second } = await createTwoLogins();
    await second.ask("POST", "/auth/logout");
    expect(dataOf(await first.ask("GET", "/sessions"))).toHaveLength(1);
  });
});

describe("DELETE /sessions/:id", () => {
  it("revokes that session only", async () => {
    const { first, second } = await createTwoLogins();
    const [newest] = dataOf(await first.ask("GET", "/sessions"));
    const answer = await first.ask("DELETE", `/sessions/${newest.id}`);
    expect([answer.status, answer.body]).toEqual([200, { success: true, revoked: 1 }]);
    expect((await second.ask("GET", "/data")).status).toBe(401);
    expect((await first.ask("GET", "/data")).status).toBe(200);
    const body = { refresh_token: second.refreshToken };
    expect((await callLink("POST", "/auth/refresh", { body })).status).toBe(401);
    expect(await first.ask("DELETE", `/sessions/${newest.id}`)).toMatchObject({
      status: 404,
      body: refusalBody("NOT_FOUND"),
    });
  });

  it("returns 404 for another account's session", async () => {
    const owner = await createLogin(shop);
    const [theirs] = dataOf(await owner.ask("GET", "/sessions"));
    const other = await createLogin(shop);
    expect((await other.ask("DELETE", `/sessions/${theirs.id}`)).status).toBe(404);
    expect((await owner.ask("GET", "/data")).status).toBe(200);
  });
});

describe("DELETE /sessions", () => {
  it("revokes all sessions of the account and returns their number", async () => {
    const { first, second } = await createTwoLogins();
    const other = await createLogin(shop);
    const answer = await first.ask("DELETE", "/sessions");
    expect([answer.status, answer.body]).toEqual([200, { success: true, revoked: 2 }]);
    expect((await first.ask("GET", "/data")).status).toBe(401);
    expect((await second.ask("GET", "/data")).status).toBe(401);
    expect((await other.ask("GET", "/data")).status).toBe(200);
  });
});
