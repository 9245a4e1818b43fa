import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { providersFor } from "../../functions/runtime/payment-providers.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { givenBusiness } from "../support/world.ts";

const settingsWith = (variables: Record<string, string | undefined>) =>
  settingsOf({ ...env, ...variables });

describe("the settings of Paystack", () => {
  it("send its secret over https, or to this machine, and nowhere else", () => {
    const baseUrl = (url: string | undefined) =>
      settingsWith({ PAYSTACK_BASE_URL: url }).paystack?.baseUrl;
    expect(baseUrl(undefined)).toBe("https://api.paystack.co");
    expect(baseUrl("https://stand-in.example/")).toBe("https://stand-in.example");
    expect(baseUrl("http://127.0.0.1:4010")).toBe("http://127.0.0.1:4010");
    for (const url of ["http://api.paystack.co", "ftp://localhost", "paystack", ""]) {
      expect(() => baseUrl(url)).toThrow(/PAYSTACK_BASE_URL/);
    }
  });

  it("give live businesses their cards and mobile money, and without a key cash alone", async () => {
    const { business } = await givenBusiness({ mode: "live" });
    const names = (variables: Record<string, string | undefined>) => {
      const providerFor = providersFor(business, env.SHOP_1, settingsWith(variables));
      return ["card", "mobile_money", "cash"].map((method) => providerFor(method)?.name ?? null);
    };
    expect(names({})).toEqual(["paystack", "paystack", "cash"]);
    expect(names({ PAYSTACK_SECRET_KEY: undefined })).toEqual([null, null, "cash"]);
  });

  it("are never those of a business in test mode", async () => {
    const { business } = await givenBusiness();
    const providerFor = providersFor(business, env.SHOP_1, settingsWith({}));
    expect(providerFor("card")?.name).toBe("sandbox");
  });
});
