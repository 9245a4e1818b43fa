import { afterEach, describe, expect, it, vi } from "vitest";
import { paystackDirectory } from "../../shared/link/index.ts";
import { type Asked, json, silence, standIn } from "../messaging/stand-in.ts";
import { withBindings } from "../support/bindings.ts";
import { call } from "../support/world.ts";
import { bearer, dataOf, givenLiveToken } from "./given.ts";

const mtn = { phoneNumber: "+233241234567", provider: "mtn" } as const;

const resolved = (account_name: unknown) =>
  json({
    status: true,
    message: "Account number resolved",
    data: { account_number: "0241234567", account_name, bank_id: 28 },
  });

function directory(fetch: Parameters<typeof paystackDirectory>[0]["fetch"], timeoutMs = 15_000) {
  const reports: unknown[] = [];
  const { find } = paystackDirectory({
    secretKey: "sk_live_0123456789abcdef",
    baseUrl: "https://paystack.test",
    timeoutMs,
    fetch,
    report: (report) => reports.push(report),
  });
  return { find, reports };
}

const urls = (asked: readonly Asked[]) => asked.map(({ url }) => url);

describe("Paystack, asked whether a mobile-money number is reachable", () => {
  it.each([
    ["mtn", "MTN"],
    ["vod", "VOD"],
    ["atl", "ATL"],
  ] as const)(
    "resolves a Ghanaian number on %s as the network's account",
    async (provider, code) => {
      const { asked, fetch } = standIn(() => resolved("AMA MENSAH"));
      expect(await directory(fetch).find({ ...mtn, provider })).toEqual({
        type: "known",
        isReachable: true,
        accountName: "AMA MENSAH",
      });
      expect(urls(asked)).toEqual([
        `https://paystack.test/bank/resolve?account_number=0241234567&bank_code=${code}`,
      ]);
      expect(asked).toMatchObject([
        { init: { method: "GET", headers: { Authorization: "Bearer sk_live_0123456789abcdef" } } },
      ]);
    },
  );

  it("takes 422 for a number that nobody has there", async () => {
    const { fetch } = standIn(() =>
      json({ status: false, message: "Could not resolve account name." }, { status: 422 }),
    );
    expect(await directory(fetch).find(mtn)).toEqual({
      type: "known",
      isReachable: false,
      accountName: null,
    });
  });

  it.each([
    [
      "another refusal",
      () => json({ status: false, message: "Unknown bank code" }, { status: 400 }),
    ],
    [
      "a refusal of our key",
      () => json({ status: false, message: "Invalid key" }, { status: 401 }),
    ],
    ["an outage", () => new Response("down", { status: 502 })],
    ["an answer without a name", () => resolved(null)],
    ["an empty name", () => resolved(" ")],
    ["what is not JSON", () => new Response("<html>")],
  ])("takes %s for no answer, and tells the log nothing of the number", async (_what, answer) => {
    const { find, reports } = directory(standIn(answer).fetch);
    expect(await find(mtn)).toEqual({ type: "no_answer" });
    expect(JSON.stringify(reports)).not.toContain("241234567");
  });

  it("gives silence up", async () => {
    expect(await directory(silence, 50).find(mtn)).toEqual({ type: "no_answer" });
  });

  it.each([
    { phoneNumber: "+254712345678", provider: "mpesa" },
    { phoneNumber: "+254712345678", provider: "atl" },
  ] as const)("is not asked of a network that it does not list: %j", async (elsewhere) => {
    const { asked, fetch } = standIn(() => resolved("AMA MENSAH"));
    expect(await directory(fetch).find(elsewhere)).toEqual({ type: "no_answer" });
    expect(asked).toEqual([]);
  });
});

describe("POST /mobile-money/{id}/verify in live mode", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("asks Paystack where the deployment has a key of it, and keeps what it said", async () => {
    const token = await givenLiveToken();
    const ask = bearer(token);
    const body = { phone_number: mtn.phoneNumber, provider: mtn.provider };
    const { id } = dataOf(await ask("POST", "/mobile-money", { body }));
    const { asked, fetch } = standIn(() => resolved("AMA MENSAH"));
    vi.stubGlobal("fetch", fetch);
    const verified = await call("POST", `/v1/link/mobile-money/${id}/verify`, {
      headers: { Authorization: `Bearer ${token}` },
      by: withBindings({
        PAYSTACK_SECRET_KEY: "sk_live_0123456789abcdef",
        PAYSTACK_BASE_URL: "https://paystack.test",
      }),
    });
    expect(verified.body).toEqual({
      success: true,
      data: { is_reachable: true, account_name: "AMA MENSAH" },
    });
    expect(urls(asked)).toEqual([
      "https://paystack.test/bank/resolve?account_number=0241234567&bank_code=MTN",
    ]);
    expect(dataOf(await ask("GET", "/mobile-money"))).toMatchObject([{ id, is_verified: true }]);
  });
});
