import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createProviderLookup } from "../../functions/runtime/providers/payment-providers.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { Business } from "../../shared/businesses/index.ts";
import { createBusiness } from "../support/world.ts";

const settingsWith = (variables: Record<string, string | undefined>) =>
  settingsOf({ ...env, ...variables });

const lookupWith = (business: Business, variables: Record<string, string | undefined>) =>
  createProviderLookup(business, {
    core: env.CORE,
    shop: env.SHOP_1,
    settings: settingsWith(variables),
  });

describe("Paystack settings", () => {
  it("send the secret only over https or to localhost", () => {
    const baseUrl = (url: string | undefined) =>
      settingsWith({ PAYSTACK_BASE_URL: url }).paystack?.baseUrl;
    expect(baseUrl(undefined)).toBe("https://api.paystack.co");
    expect(baseUrl("https://stand-in.example/")).toBe("https://stand-in.example");
    expect(baseUrl("http://127.0.0.1:4010")).toBe("http://127.0.0.1:4010");
    for (const url of ["http://api.paystack.co", "ftp://localhost", "paystack", ""]) {
      expect(() => baseUrl(url)).toThrow(/PAYSTACK_BASE_URL/);
    }
  });

  it.each(["STRIPE_BASE_URL", "PAYSTACK_BASE_URL"])("refuse a path in %s", (name) => {
    for (const url of ["https://stand-in.example", "http://127.0.0.1:4010", "https://a.example/"]) {
      const { paystackApi, stripeBaseUrl } = settingsWith({ [name]: url });
      const used = name === "STRIPE_BASE_URL" ? stripeBaseUrl : paystackApi.baseUrl;
      expect(used).toBe(new URL(url).origin);
    }
    for (const rest of ["/v1", "/v1/", "/?a=1", "?a=1", "/#a"]) {
      expect(() => settingsWith({ [name]: `https://stand-in.example${rest}` })).toThrow(
        `Setting ${name}: must be an origin without a path, such as https://`,
      );
    }
    expect(() => settingsWith({ [name]: "https://user:secret@a.example" })).toThrow(name);
  });

  it("enable cards and mobile money for live businesses, and only cash without a key", async () => {
    const { business } = await createBusiness({ mode: "live" });
    const names = (variables: Record<string, string | undefined>) => {
      const providers = lookupWith(business, variables);
      return ["card", "mobile_money", "cash"].map(
        (method) => providers.forMethod(method, "GHS")?.name ?? null,
      );
    };
    expect(names({})).toEqual(["paystack", "paystack", "cash"]);
    expect(names({ PAYSTACK_SECRET_KEY: undefined })).toEqual([null, null, "cash"]);
  });

  it("are not used for a business in test mode", async () => {
    const { business } = await createBusiness();
    const providers = lookupWith(business, {});
    expect(providers.forMethod("card", "GHS")?.name).toBe("sandbox");
  });
});
