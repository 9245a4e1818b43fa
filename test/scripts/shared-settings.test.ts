import { describe, expect, it } from "vitest";
import { findAssetsHostProblem } from "../../scripts/deploy/setup.ts";
import {
  findSettingProblems,
  parseSecretList,
  parseVariables,
  type WorkerSettings,
} from "../../scripts/deploy/shared-settings.ts";
import { deployOrder } from "../../scripts/deploy/workers.ts";

const secrets = ["SESSION_SECRET", "WEBHOOK_SIGNING_SECRET", "PAYSTACK_SECRET_KEY"];

/** The settings of all Workers; `changes` replaces those of one by its short name. */
function createSettings(changes: Record<string, Partial<WorkerSettings>> = {}): WorkerSettings[] {
  return deployOrder.map(({ name: worker, config }) => ({
    worker,
    config,
    variables: new Map(worker === "duka-front" ? [] : [["SHOP_SHARDS", "SHOP_1,SHOP_2"]]),
    secrets: new Set(worker === "duka-front" ? [] : secrets),
    ...changes[worker.replace("duka-", "")],
  }));
}

const without = (...missing: string[]) => ({
  secrets: new Set(secrets.filter((name) => !missing.includes(name))),
});

describe("the settings that several Workers need", () => {
  it("are complete when every Worker has them", () => {
    expect(findSettingProblems(createSettings())).toEqual([]);
  });

  it("include the payment provider's key on the background Worker once another one has it", () => {
    expect(
      findSettingProblems(createSettings({ background: without("PAYSTACK_SECRET_KEY") })),
    ).toEqual([
      "PAYSTACK_SECRET_KEY is not set for duka-background (functions/background/wrangler.toml). It is set for duka-storefront, duka-business.",
    ]);
    const nobody = without("PAYSTACK_SECRET_KEY");
    expect(
      findSettingProblems(
        createSettings({ storefront: nobody, business: nobody, background: nobody }),
      ),
    ).toEqual([]);
  });

  it.each(["SESSION_SECRET", "WEBHOOK_SIGNING_SECRET"])("require %s on every API", (setting) => {
    const problems = findSettingProblems(createSettings({ link: without(setting) }));
    expect(problems).toEqual([expect.stringContaining(`${setting} is not set for duka-link`)]);
  });

  it("name each Worker without SHOP_SHARDS, and shards that differ", () => {
    const none = { variables: new Map<string, string>() };
    expect(findSettingProblems(createSettings({ business: none }))).toEqual([
      expect.stringContaining("SHOP_SHARDS is not set for duka-business"),
    ]);
    const other = { variables: new Map([["SHOP_SHARDS", "SHOP_1"]]) };
    expect(findSettingProblems(createSettings({ link: other }))).toEqual([
      "SHOP_SHARDS differs between duka-storefront, duka-link, duka-business, duka-background.",
    ]);
  });

  it("include the credentials of the chosen SMS provider", () => {
    const variables = new Map([
      ["SHOP_SHARDS", "SHOP_1,SHOP_2"],
      ["SMS_PROVIDER", "twilio"],
    ]);
    const all = { storefront: { variables }, link: { variables }, background: { variables } };
    expect(findSettingProblems(createSettings(all))).toEqual(
      ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"].map((setting) =>
        expect.stringContaining(`${setting} is not set for duka-background`),
      ),
    );
  });

  it("refuse the console's test codes, with which everybody could log in as everybody", () => {
    const variables = new Map([
      ["SHOP_SHARDS", "SHOP_1,SHOP_2"],
      ["CONSOLE_TEST_CODES", "true"],
    ]);
    expect(findSettingProblems(createSettings({ business: { variables } }))).toEqual([
      expect.stringContaining("CONSOLE_TEST_CODES is set for duka-business"),
    ]);
  });

  it("include the e-mail provider of the console", () => {
    const variables = new Map([
      ["SHOP_SHARDS", "SHOP_1,SHOP_2"],
      ["EMAIL_PROVIDER", "console"],
    ]);
    const others = { storefront: { variables }, link: { variables }, background: { variables } };
    expect(findSettingProblems(createSettings(others))).toEqual([
      expect.stringContaining("EMAIL_PROVIDER is not set for duka-business"),
    ]);
  });

  it("are not missed as secrets before a Worker's first deployment", () => {
    const created = Object.fromEntries(
      deployOrder.map(({ name }) => [name.replace("duka-", ""), { secrets: null }]),
    );
    expect(findSettingProblems(createSettings(created))).toEqual([]);
  });
});

describe("what is read", () => {
  it("takes variables from [vars] only, without comments", () => {
    const toml =
      'name = "duka"\n[vars]\n# CDN_URL = "no"\nSHOP_SHARDS = "SHOP_1"\n[observability]\nx = "1"\n';
    expect([...parseVariables(toml)]).toEqual([["SHOP_SHARDS", "SHOP_1"]]);
  });

  it("takes the names of wrangler's list, and tells a new Worker from a failure", () => {
    const list = '[{"name":"SESSION_SECRET","type":"secret_text"}]';
    expect(parseSecretList("duka-link", { status: 0, stdout: list, stderr: "" })).toEqual(
      new Set(["SESSION_SECRET"]),
    );
    const unknown = 'Worker "duka-link" not found.';
    expect(parseSecretList("duka-link", { status: 1, stdout: "", stderr: unknown })).toBeNull();
    expect(() =>
      parseSecretList("duka-link", { status: 1, stdout: "", stderr: "Authentication error" }),
    ).toThrow(/duka-link cannot be listed/);
  });
});

describe("the host of merchants' assets", () => {
  it.each([
    ['[vars]\nCDN_URL = "https://assets.example.com"\n', true],
    ['[vars]\n# CDN_URL = "https://assets.example.com"\n', false],
    ['[vars]\nCDN_URL = "http://assets.example.com"\n', false],
    ["[vars]\n", false],
  ])("is asked for before a deployment: %j", (config, isSet) => {
    expect(findAssetsHostProblem(config) === null).toBe(isSet);
  });
});
