import { afterEach, describe, expect, it, vi } from "vitest";
import { createPaystackDirectory } from "../../shared/link/index.ts";
import {
  createFakeProvider,
  json,
  neverRespond,
  type ProviderCall,
} from "../messaging/create-fake-provider.ts";
import { withBindings } from "../support/bindings.ts";
import { call } from "../support/world.ts";
import { bearerCaller, createLiveToken, dataOf } from "./create-logins.ts";

const mtn = { phoneNumber: "+233241234567", provider: "mtn" } as const;

const resolved = (account_name: unknown) =>
  json({
    status: true,
    message: "Account number resolved",
    data: { account_number: "0241234567", account_name, bank_id: 28 },
  });

function directory(
  fetch: Parameters<typeof createPaystackDirectory>[0]["fetch"],
  timeoutMs = 15_000,
) {
  const reports: unknown[] = [];
  const { find } = createPaystackDirectory({
    secretKey: "sk_live_0123456789abcdef",
    baseUrl: "https://paystack.test",
    timeoutMs,
    fetch,
    report: (report) => reports.push(report),
  });
  return { find, reports };
}

const urls = (requests: readonly ProviderCall[]) => requests.map(({ url }) => url);

describe("createPaystackDirectory", () => {
  it.each([
    ["mtn", "MTN"],
    ["vod", "VOD"],
    ["atl", "ATL"],
  ] as const)(
    "resolves a Ghanaian number on %s as the network's account",
    async (provider, code) => {
      const { calls: requests, fetch } = createFakeProvider(() => resolved("AMA MENSAH"));
      expect(await directory(fetch).find({ ...mtn, provider })).toEqual({
        type: "known",
        isReachable: true,
        accountName: "AMA MENSAH",
      });
      expect(urls(requests)).toEqual([
        `https://paystack.test/bank/resolve?account_number=0241234567&bank_code=${code}`,
      ]);
      expect(requests).toMatchObject([
        { init: { method: "GET", headers: { Authorization: "Bearer sk_live_0123456789abcdef" } } },
      ]);
    },
  );

  it("treats 422 as an unknown number", async () => {
    const { fetch } = createFakeProvider(() =>
      json({ status: false, message: "Could not resolve account name." }, { status: 422 }),
    );
    expect(await directory(fetch).find(mtn)).toEqual({
      type: "known",
      isReachable: false,
      accountName: null,
    });
  });

  it.each([
    ["another error", () => json({ status: false, message: "Unknown bank code" }, { status: 400 })],
    ["an invalid key", () => json({ status: false, message: "Invalid key" }, { status: 401 })],
    ["an outage", () => new Response("down", { status: 502 })],
    ["a response without a name", () => resolved(null)],
    ["an empty name", () => resolved(" ")],
    ["a response that is not JSON", () => new Response("<html>")],
  ])("treats %s as no answer and does not log the number", async (_what, answer) => {
    const { find, reports } = directory(createFakeProvider(answer).fetch);
    expect(await find(mtn)).toEqual({ type: "no_answer" });
    expect(JSON.stringify(reports)).not.toContain("241234567");
  });

  it("times out", async () => {
    expect(await directory(neverRespond, 50).find(mtn)).toEqual({ type: "no_answer" });
  });

  it.each([
    { phoneNumber: "+254712345678", provider: "mpesa" },
    { phoneNumber: "+254712345678", provider: "atl" },
  ] as const)("does not call Paystack for another network: %j", async (elsewhere) => {
    const { calls: requests, fetch } = createFakeProvider(() => resolved("AMA MENSAH"));
    expect(await directory(fetch).find(elsewhere)).toEqual({ type: "no_answer" });
    expect(requests).toEqual([]);
  });
});

describe("POST /mobile-money/{id}/verify in live mode", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("uses Paystack when the deployment has a key, and stores the result", async () => {
    const token = await createLiveToken();
    const ask = bearerCaller(token);
    const body = { phone_number: mtn.phoneNumber, provider: mtn.provider };
    const { id } = dataOf(await ask("POST", "/mobile-money", { body }));
    const { calls: requests, fetch } = createFakeProvider(() => resolved("AMA MENSAH"));
    vi.stubGlobal("fetch", fetch);
    const verified = await call("POST", `/v1/link/mobile-money/${id}/verify`, {
      headers: { Authorization: `Bearer ${token}` },
      fetch: withBindings({
        PAYSTACK_SECRET_KEY: "sk_live_0123456789abcdef",
        PAYSTACK_BASE_URL: "https://paystack.test",
      }),
    });
    expect(verified.body).toEqual({
      success: true,
      data: { is_reachable: true, account_name: "AMA MENSAH" },
    });
    expect(urls(requests)).toEqual([
      "https://paystack.test/bank/resolve?account_number=0241234567&bank_code=MTN",
    ]);
    expect(dataOf(await ask("GET", "/mobile-money"))).toMatchObject([{ id, is_verified: true }]);
  });
});
