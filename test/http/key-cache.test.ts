import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { call, createBusiness, roundTrips } from "../support/world.ts";

/** More than an isolate caches, and as many as 13 addresses may send in a second. */
const floodSize = 1_200;
const requestsPerAddress = 95;

let shop: CreatedBusiness;
/** Each test has a time of its own, because the counters of requests live as long as the isolate. */
let now = 1_900_000_100_000;

beforeEach(async () => {
  shop = await createBusiness();
  now += 600_000;
  vi.setSystemTime(now);
});

const ask = (headers: Record<string, string>) =>
  call("GET", "/api/v1/business", {
    headers: { "X-Public-Key": shop.keys.publishable, ...headers },
  });

/** Sends the flood from many addresses within one second. Returns the statuses of the responses. */
async function flood(headersOf: (at: number) => Record<string, string>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let at = 0; at < floodSize; at += requestsPerAddress) {
    const answers = await Promise.all(
      Array.from({ length: requestsPerAddress }, (_, offset) =>
        ask({
          "CF-Connecting-IP": `192.0.2.${at / requestsPerAddress}`,
          ...headersOf(at + offset),
        }),
      ),
    );
    for (const { status } of answers) statuses.add(status);
  }
  return statuses;
}

const businessId = (at: number) => `biz_01k${String(at).padStart(23, "0")}`;

describe("an isolate's cache of keys", () => {
  it.each([
    ["keys", 401, (at: number) => ({ "X-Public-Key": `pk_test_${String(at).padStart(40, "0")}` })],
    ["business ids", 403, (at: number) => ({ "X-Business-Id": businessId(at) })],
    ["long business ids", 403, (at: number) => ({ "X-Business-Id": `${"x".repeat(2_000)}${at}` })],
  ])("keeps a shop's key through a flood of unknown %s", async (_, status, headersOf) => {
    const known = { "CF-Connecting-IP": "198.51.100.1" };
    expect(await ask(known)).toMatchObject({ status: 200 });
    const cached = roundTrips(await ask(known));
    expect(await flood(headersOf)).toEqual(new Set([status]));
    const answer = await ask(known);
    expect(answer.status).toBe(200);
    expect(roundTrips(answer).d1).toBe(cached.d1);
  });

  it("looks up an unknown business id once, and malformed ones together", async () => {
    const address = { "CF-Connecting-IP": "198.51.100.2" };
    const ids = [businessId(7), businessId(7), "x".repeat(2_000), "y".repeat(3_000)];
    const answers = [];
    for (const id of ids) answers.push(await ask({ ...address, "X-Business-Id": id }));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(answers.map((answer) => roundTrips(answer).d1)).toEqual([1, 0, 1, 0]);
  });

  it("looks up no more unknown business ids for an address than its limit", async () => {
    const address = { "CF-Connecting-IP": "198.51.100.3" };
    const askFor = (at: number) => ask({ ...address, "X-Business-Id": businessId(at) });
    await Promise.all(Array.from({ length: 101 }, (_, at) => askFor(at)));
    const late = await askFor(102);
    expect(late).toMatchObject({ status: 429, body: { error: { code: "RATE_LIMITED" } } });
    expect(roundTrips(late)).toEqual({ d1: 0, do: 0, lease: 0 });
  });
});
