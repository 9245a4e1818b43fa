import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Fetch, type LinkTokens, UnauthorizedError } from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { homeAddress, uniquePhone } from "../link/create-logins.ts";
import { testCode } from "../support/sessions.ts";
import { createBusiness } from "../support/world.ts";
import { createFetch, createLinkCustomer, recordRequests } from "./create-clients.ts";

let created: CreatedBusiness;
let contact: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  created = await createBusiness();
  contact = uniquePhone();
});

/** Logs in a new customer, and records the requests and the tokens. */
async function createLogin(send: Fetch = createFetch(), retries = 2) {
  const { fetch, requests } = recordRequests(send);
  const kept: LinkTokens[] = [];
  const link = createLinkCustomer(created, {
    fetch,
    retries,
    onTokens: (tokens) => kept.push(tokens),
  });
  await link.auth.requestOtp({ contact });
  await link.auth.verifyOtp({ contact, otp_code: testCode });
  requests.length = 0;
  return { link, kept, requests };
}

const pathsOf = (requests: readonly Request[]) =>
  requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/v1/link", "")}`);

describe("a customer of Link", () => {
  it("enrols as a guest, logs in, and saves an address", async () => {
    const link = createLinkCustomer(created);
    expect((await link.enrolment.check({ contact })).data).toMatchObject({
      is_link_customer: false,
    });
    await link.auth.requestOtp({ contact });
    const { data: login } = await link.auth.verifyOtp({ contact, otp_code: testCode });
    expect(login).toMatchObject({ success: true, expires_in: 3_600 });
    await link.enrolment.enroll({ contact });
    const { data: address } = await link.addresses.create(homeAddress);
    expect(address).toMatchObject({ label: "Home", is_default: true });
    await link.addresses.update(address.id, { city: "Kumasi" });
    expect((await link.addresses.list()).data).toMatchObject([{ id: address.id, city: "Kumasi" }]);
    expect((await link.addresses.remove(address.id)).data).toEqual({
      id: address.id,
      deleted: true,
    });
  });

  it("stays logged in with the tokens that were kept", async () => {
    const { kept } = await createLogin();
    expect(kept).toEqual([
      {
        sessionToken: expect.stringMatching(/^lnk_/),
        refreshToken: expect.stringMatching(/^rfr_/),
      },
    ]);
    const later = createLinkCustomer(created, kept[0]);
    expect((await later.addresses.list()).data).toEqual([]);
  });

  it("has no session after a logout, and may go on as a guest", async () => {
    const { link, kept, requests } = await createLogin();
    await link.auth.logOut();
    expect(kept.at(-1)).toEqual({});
    await expect(link.addresses.list()).rejects.toThrow(UnauthorizedError);
    expect(pathsOf(requests)).toEqual(["POST /auth/logout", "GET /addresses"]);
    await link.enrolment.enroll({ contact });
  });
});

describe("an expired session of Link", () => {
  const expire = () => vi.setSystemTime(Date.now() + 61 * minute);

  it("is refreshed, and the call is repeated with the new token", async () => {
    const { link, kept, requests } = await createLogin();
    expire();
    expect((await link.addresses.create(homeAddress)).data).toMatchObject({ label: "Home" });
    expect(pathsOf(requests)).toEqual(["POST /addresses", "POST /auth/refresh", "POST /addresses"]);
    const keys = requests.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys[2]).toBe(keys[0]);
    expect(kept).toHaveLength(2);
    expect(kept[1]?.refreshToken).not.toBe(kept[0]?.refreshToken);
  });

  it("is refreshed once for concurrent calls", async () => {
    const { link, requests } = await createLogin();
    expire();
    await Promise.all([link.addresses.list(), link.mobileMoney.list(), link.sessions.list()]);
    expect(pathsOf(requests).filter((path) => path === "POST /auth/refresh")).toHaveLength(1);
  });

  it("is refreshed with the same key when the answer is lost, also by a later call", async () => {
    const send = createFetch();
    let losesAnswers = true;
    const { link, requests } = await createLogin(async (url, init) => {
      const response = await send(url, init);
      if (losesAnswers && url.endsWith("/auth/refresh")) throw new TypeError("lost");
      return response;
    }, 0);
    expire();
    await expect(link.addresses.list()).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    losesAnswers = false;
    expect((await link.addresses.list()).data).toEqual([]);
    const refreshes = requests.filter(({ url }) => url.endsWith("/auth/refresh"));
    const keys = refreshes.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(new Set(keys).size).toBe(1);
  });

  it("ends when the refresh token was revoked: the call is 401, and no token is tried again", async () => {
    const { link, kept, requests } = await createLogin();
    await env.CORE.prepare("delete from link_refresh_tokens").run();
    expire();
    await expect(link.addresses.list()).rejects.toThrow(UnauthorizedError);
    expect(kept.at(-1)).toEqual({});
    requests.length = 0;
    await expect(link.addresses.list()).rejects.toThrow(UnauthorizedError);
    expect(pathsOf(requests)).toEqual(["GET /addresses"]);
  });
});
