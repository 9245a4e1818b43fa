import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ApiResponse, createBusiness, merchant, roundTrips } from "../support/world.ts";
import {
  bearerCaller,
  bodyOf,
  callLink,
  refusalBody,
  storefrontCaller,
  uniquePhone,
} from "./create-logins.ts";

const shopOrigin = "https://shop.example";
const ownOrigin = "https://duka.test";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const setAllowedOrigins = (business: CreatedBusiness, ...origins: string[]) =>
  merchant(business)("PATCH", "", { body: { allowed_origins: origins } });

const requestPage = (element: string, query: Record<string, string>): Promise<ApiResponse> =>
  callLink("GET", `/elements/${element}?${new URLSearchParams(query)}`);

const requestPageOf = ({ keys }: CreatedBusiness, origin = shopOrigin, element = "auth") =>
  requestPage(element, { public_key: keys.publishable, origin });

/** The policy as its directives. */
const policyOf = ({ headers }: ApiResponse): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

describe.each(["auth", "account"])("GET /elements/%s", (element) => {
  it("may be framed only by the business's allowed_origins", async () => {
    await setAllowedOrigins(shop, shopOrigin, "https://other.example");
    const answer = await requestPageOf(shop, shopOrigin, element);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(policyOf(answer).get("frame-ancestors")).toBe(`${shopOrigin} https://other.example`);
  });

  it("allows only its own script and style, and calls to this service", async () => {
    const answer = await requestPageOf(shop, shopOrigin, element);
    const html = String(answer.body);
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? "";
    const policy = policyOf(answer);
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("script-src")).toBe(await hashOf(script));
    expect(policy.get("style-src")).toBe(await hashOf(style));
    expect(policy.get("connect-src")).toBe("'self'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect(policy.get("form-action")).toBe("'none'");
  });

  it("sets no cookie, is not cached and reads the database at most once", async () => {
    const answer = await requestPageOf(shop, shopOrigin, element);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(1);
  });

  it("rejects an origin that the business does not allow", async () => {
    await setAllowedOrigins(shop, "https://other.example");
    expect(await requestPageOf(shop, shopOrigin, element)).toMatchObject({
      status: 403,
      body: refusalBody("FORBIDDEN"),
    });
  });

  it("rejects every origin in live mode while none is allowed", async () => {
    const live = await createBusiness({ mode: "live" });
    expect(await requestPageOf(live, shopOrigin, element)).toMatchObject({ status: 403 });
  });

  it("allows only the requesting origin to frame it in test mode", async () => {
    const answer = await requestPageOf(shop, "http://localhost:3000", element);
    expect(policyOf(answer).get("frame-ancestors")).toBe("http://localhost:3000");
  });

  it.each([
    "",
    "*",
    "null",
    "shop.example",
    "https://shop.example/",
    "https://shop.example/path",
    "https://a@shop.example",
    "https://*.example",
    "https://shop.example;script-src",
    "https://shop.example,https://b.example",
    "https://shop.example 'self'",
    "javascript:alert(1)",
  ])("returns 400 for the origin %j", async (origin) => {
    expect(await requestPageOf(shop, origin, element)).toMatchObject({
      status: 400,
      body: refusalBody("VALIDATION_ERROR", {
        context: expect.objectContaining({ field: "origin" }),
      }),
    });
  });

  it("returns 401 without a known publishable key in the query", async () => {
    const { secret, publishable } = shop.keys;
    const unknown = `${publishable.slice(0, -4)}0000`;
    for (const public_key of ["", "pk_test_x", unknown, secret]) {
      const answer = await requestPage(element, { public_key, origin: shopOrigin });
      expect(answer, public_key).toMatchObject({ status: 401, body: refusalBody("UNAUTHORIZED") });
    }
    expect(await requestPage(element, { origin: shopOrigin })).toMatchObject({ status: 401 });
  });
});

describe("POST /elements/request-otp and /elements/verify-otp", () => {
  it("log in from a frame of this service", async () => {
    await setAllowedOrigins(shop, shopOrigin);
    const headers = { Origin: ownOrigin };
    const contact = uniquePhone();
    const codeResponse = await storefrontCaller(shop)("POST", "/elements/request-otp", {
      headers,
      body: { contact },
    });
    expect(codeResponse).toMatchObject({ status: 200, body: { success: true } });
    const login = await storefrontCaller(shop)("POST", "/elements/verify-otp", {
      headers,
      body: { contact, otp_code: "123456" },
    });
    expect(login).toMatchObject({ status: 200, body: { success: true, expires_in: 3_600 } });
    const ask = bearerCaller(bodyOf(login).session_token);
    expect(await ask("GET", "/data", { headers })).toMatchObject({ status: 200 });
  });

  it.each([
    ["/elements/request-otp", { contact: "+233241234567" }],
    ["/elements/verify-otp", { contact: "+233241234567", otp_code: "123456" }],
  ])("%s rejects pages of other origins, allowed or not", async (path, body) => {
    await setAllowedOrigins(shop, shopOrigin);
    for (const Origin of [shopOrigin, "https://evil.example", "null"]) {
      const answer = await storefrontCaller(shop)("POST", path, { headers: { Origin }, body });
      expect(answer, Origin).toMatchObject({ status: 403, body: refusalBody("FORBIDDEN") });
    }
  });

  it.each(["/elements/request-otp", "/elements/verify-otp"])(
    "%s requires a publishable key in the header",
    async (path) => {
      const body = { contact: uniquePhone(), otp_code: "123456" };
      const { publishable, secret } = shop.keys;
      const without = await callLink("POST", `${path}?public_key=${publishable}`, { body });
      expect(without).toMatchObject({ status: 401, body: refusalBody("UNAUTHORIZED") });
      const withSecret = await callLink("POST", path, { body, headers: { "X-API-Key": secret } });
      expect(withSecret).toMatchObject({ status: 401, body: refusalBody("UNAUTHORIZED") });
    },
  );
});
