import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../../functions/runtime/settings.ts";
import { openDeployFiles } from "../../../scripts/deploy/deploy-files.ts";
import { findUnhealthy } from "../../../scripts/deploy/health.ts";
import { describeDeployment } from "../../../scripts/deploy/report.ts";
import { findSettingProblems } from "../../../scripts/deploy/settings.ts";
import { contentsOf } from "./cloudflare-account.ts";
import { createDeployment } from "./deployments.ts";

const apis = ["duka-storefront", "duka-link", "duka-business", "duka-agents"];
const services = [...apis, "duka-background"];
const isUpload = (title: string) => title.startsWith("deploy ");

it("deploys to an empty account, and then only what is new", async () => {
  const { deploy, state, settingsPath, readFile, settingOf, folder } = createDeployment({
    migrations: "migrations",
  });
  const { titles, origin } = await deploy();
  expect(
    titles.map((title) => title.replace(/\d+ migrations/, "migrations").replaceAll(folder, "")),
  ).toEqual([
    "create /production.env",
    "draw SESSION_SECRET, WEBHOOK_SIGNING_SECRET, CREDENTIALS_KEY, OPERATOR_TOKEN and keep them in /production.env",
    "create the D1 database duka-core",
    "create the D1 database duka-shop-1",
    "create the D1 database duka-shop-2",
    "create the R2 bucket duka-files",
    "create the queue duka-events",
    "create the queue duka-messages",
    "create the queue duka-work",
    "create the queue duka-events-dead",
    "register duka-0123456789.workers.dev for the account",
    "apply migrations to duka-core",
    "apply migrations to duka-shop-1",
    "apply migrations to duka-shop-2",
    "deploy duka-storefront",
    "deploy duka-pages",
    "deploy duka-link",
    "deploy duka-business",
    "deploy duka-agents",
    "deploy duka-background",
    "deploy duka-front",
  ]);
  expect(origin).toBe("https://duka-front.duka-0123456789.workers.dev");
  expect(settingOf("duka-background", "PUBLIC_URL")).toBe(origin);
  for (const name of ["SESSION_SECRET", "WEBHOOK_SIGNING_SECRET"])
    expect(new Set(services.map((worker) => settingOf(worker, name)))).toEqual(
      state.secretValues.get(name),
    );
  const token = settingOf("duka-business", "OPERATOR_TOKEN");
  expect(readFile("production.env")).toContain(`OPERATOR_TOKEN='${token}'`);
  expect(statSync(settingsPath()).mode & 0o777).toBe(0o600);

  expect((await deploy()).titles.every(isUpload)).toBe(true);
  expect([...state.secretValues.values()].map((values) => values.size)).toEqual([1, 1, 1, 1]);
});

it("continues after an interruption at every call, and draws each secret once", async () => {
  const complete = createDeployment();
  const { methods } = await complete.deploy();
  const expected = contentsOf(complete.state);
  const cuts = methods.flatMap((method, index) => {
    const before = { call: index + 1, when: "before" as const };
    // A lost response to a read is the same as no call.
    return method === "GET" ? [before] : [before, { ...before, when: "after" as const }];
  });
  expect(cuts.length).toBeGreaterThan(60);
  for (const cut of cuts) {
    const { deploy, state } = createDeployment();
    const place = `${cut.when} call ${cut.call}`;
    await expect(deploy({ cut }), place).rejects.toThrow();
    await deploy();
    expect(contentsOf(state), place).toEqual(expected);
    expect([...state.secretValues.values()].map((values) => values.size)).toEqual([1, 1, 1, 1]);
  }
});

it("changes nothing when it only describes a deployment", async () => {
  const { deploy, writes, state } = createDeployment();
  const { titles } = await deploy({ isDryRun: true });
  expect(titles).toContain("create the D1 database duka-core");
  expect(writes).toEqual([]);
  await deploy();
  state.databases.get("duka-shop-2")?.sqlite.exec("DELETE FROM d1_migrations WHERE id = 2");
  expect((await deploy({ isDryRun: true })).titles.filter((title) => !isUpload(title))).toEqual([
    "apply 1 migration to duka-shop-2",
  ]);
});

it("gives a second environment names, secrets and data of its own", async () => {
  const { deploy, state, readFile } = createDeployment();
  await deploy();
  const first = contentsOf(state);
  const { origin } = await deploy({ environment: "staging" });
  expect(origin).toBe("https://duka-front-staging.duka-0123456789.workers.dev");
  expect([...state.databases.keys()].slice(3)).toEqual([
    "duka-core-staging",
    "duka-shop-1-staging",
    "duka-shop-2-staging",
  ]);
  expect([...state.queues.keys()]).toContain("duka-events-dead-staging");
  expect(state.secretValues.get("SESSION_SECRET")?.size).toBe(2);
  expect(contentsOf(state)).toMatchObject({ scripts: first.scripts, databases: first.databases });
  expect(readFile("staging/duka-front.json")).not.toMatch(/"duka-\w+"/);
  for (const environment of ["dead", "Staging", "a-b", ""])
    await expect(deploy({ environment }), environment).rejects.toThrow("--env must be a word");
});

describe("secrets", () => {
  it("refuses a Worker that lacks a secret whose value is lost", async () => {
    const { deploy, forgetFiles, writes, settingsPath, state } = createDeployment();
    await deploy();
    for (const worker of ["duka-business", "duka-background"]) state.scripts.delete(worker);
    forgetFiles();
    writes.length = 0;
    await expect(deploy()).rejects.toThrow(
      `SESSION_SECRET is set for duka-storefront, duka-link, duka-agents and not for duka-business, duka-background. Cloudflare does not show its value: write the value into ${settingsPath()}.`,
    );
    expect(writes).toEqual([]);
  });

  it("upgrades from a machine without the files, and keeps variables and domains", async () => {
    const { deploy, forgetFiles, writeSettings, readFile, state } = createDeployment();
    await deploy();
    const settings = readFile("production.env");
    writeSettings(
      `${settings}DOMAINS=shop.example.com,assets.example.com\nCDN_URL=https://assets.example.com\nSHOP_SHARDS=SHOP_1,SHOP_2,SHOP_3`,
    );
    await deploy();
    const before = contentsOf(state);
    forgetFiles();
    const { titles, origin } = await deploy();
    expect(titles.filter((title) => !isUpload(title))).toHaveLength(1);
    expect(origin).toBe("https://shop.example.com");
    expect(contentsOf(state)).toEqual(before);
    expect(readFile("production.env")).toContain("DOMAINS='shop.example.com,assets.example.com'");
    expect((await deploy()).titles.every(isUpload)).toBe(true);
    expect(contentsOf(state)).toEqual(before);
  });

  it("replaces a secret that was changed in the file, first where webhooks are signed", async () => {
    const { deploy, readFile, writeSettings, settingOf } = createDeployment();
    await deploy();
    const settings = readFile("production.env");
    const present = settingOf("duka-link", "WEBHOOK_SIGNING_SECRET") ?? "";
    const changed = `${"n".repeat(32)},${present}`;
    writeSettings(settings.replace(present, changed));
    const { titles } = await deploy();
    expect(titles.at(0)).toBe("deploy duka-background");
    expect(services.map((worker) => settingOf(worker, "WEBHOOK_SIGNING_SECRET"))).toEqual(
      services.map(() => changed),
    );
    expect((await deploy()).titles.at(0)).toBe("deploy duka-storefront");
  });

  it("gives optional secrets and variables to the Workers that need them", async () => {
    const { deploy, settingOf } = createDeployment();
    const env = { EMAIL_PROVIDER: "resend", RESEND_API_KEY: "re_123", EMAIL_FROM: "a@example.com" };
    await deploy({ env: { ...env, PAYSTACK_SECRET_KEY: "sk_live_0123456789abcdef" } });
    expect(services.map((worker) => settingOf(worker, "EMAIL_PROVIDER"))).toEqual(
      services.map(() => "resend"),
    );
    expect(services.map((worker) => settingOf(worker, "RESEND_API_KEY"))).toEqual([
      ...apis.map(() => undefined),
      "re_123",
    ]);
    expect(settingOf("duka-storefront", "PAYSTACK_SECRET_KEY")).toBe("sk_live_0123456789abcdef");
    expect(settingOf("duka-link", "PAYSTACK_SECRET_KEY")).toBeUndefined();
  });
});

it("draws secrets that a Worker accepts at its start", async () => {
  const { deploy } = createDeployment();
  const { settings } = await deploy();
  const { operatorToken, credentialsKeyring } = settingsOf(Object.fromEntries(settings));
  expect(operatorToken).toBe(settings.get("OPERATOR_TOKEN"));
  expect(credentialsKeyring.map(({ id }) => id)).toEqual(["k1"]);
});

it("knows every setting of the Workers", () => {
  const source = readFileSync("functions/runtime/settings.ts", "utf8");
  const example = readFileSync(".dev.vars.example", "utf8");
  const names = [
    ...source.matchAll(/^ {4}([A-Z][A-Z_\d]+): /gm),
    ...example.matchAll(/^(?:# )?([A-Z][A-Z_\d]+)=/gm),
  ].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(50);
  const problems = findSettingProblems(new Map(names.map((name) => [name, "x"])), () => false);
  expect(problems.filter((problem) => problem.includes("is not a setting"))).toEqual([]);
});

it.each([
  ["CONSOLE_TEST_CODES", "true", "CONSOLE_TEST_CODES is for development only."],
  ["ALLOW_LOCAL_WEBHOOKS", "true", "ALLOW_LOCAL_WEBHOOKS is for development only."],
  ["SMS_PROVIDER", "twilio", "TWILIO_AUTH_TOKEN is not set. SMS_PROVIDER=twilio needs it."],
  ["EMAIL_PROVIDER", "console", "EMAIL_PROVIDER must be resend, smtp or cloudflare."],
  ["SESSION_SECRET", "short", "SESSION_SECRET must be at least 32 characters long."],
  ["CREDENTIALS_KEY", "k1:short", "CREDENTIALS_KEY must be <id>:<32 bytes in base 64>"],
  ["MAIL_PROVIDER", "resend", "MAIL_PROVIDER is not a setting."],
  ["SHOP_SHARDS", "SHOP_1,SHOP_1", "SHOP_SHARDS must name shards once"],
  ["DOMAINS", "https://shop.example.com", "DOMAINS: https://shop.example.com is not a host name"],
])("deploys nothing with %s=%s", async (name, value, problem) => {
  const { deploy, writeSettings, writes } = createDeployment();
  writeSettings(`${name}=${value}\n`);
  await expect(deploy()).rejects.toThrow(problem);
  expect(writes).toEqual([]);
});

it("refuses a migration that the running Workers could not bear, except in an empty database", async () => {
  const { deploy, writes, migrations } = createDeployment();
  await deploy();
  writes.length = 0;
  const rename = "ALTER TABLE orders RENAME COLUMN total TO price;";
  writeFileSync(join(migrations, "shop/0002_price.sql"), rename);
  await expect(deploy()).rejects.toThrow("the column orders.total is removed or renamed");
  expect(writes.filter((call) => !call.endsWith("/query"))).toEqual([]);
  await createDeployment({ migrations }).deploy();
});

it("keeps values with quotes in the file of settings", () => {
  const { folder } = createDeployment();
  const settings = new Map([
    ["EMAIL_FROM", `Ama's shop <shop@example.com>`],
    ["SMTP_URL", `smtp://a:"b"#c@example.com`],
  ]);
  const files = openDeployFiles(folder, "production");
  files.appendSettings(settings, "Settings.");
  expect(files.readSettings()).toEqual(settings);
});

it("waits for Workers that do not respond yet, and names those that never do", async () => {
  const requests: string[] = [];
  const respondsAtThird = async (url: string) => {
    requests.push(url);
    return requests.filter((request) => request === url).length === 3;
  };
  const wait = async () => {};
  expect(await findUnhealthy("https://duka.test", respondsAtThird, wait)).toEqual([]);
  const never = await findUnhealthy(
    "https://duka.test",
    async (url) => !url.includes("link"),
    wait,
  );
  expect(never).toEqual(["https://duka.test/v1/link/healthz"]);
});

it("shows the operator's token only when it is new", () => {
  const result = { origin: "https://duka.test", settings: new Map(), settingsPath: "x.env" };
  const first = describeDeployment({ ...result, operatorToken: "token-1" });
  expect(first).toContain("Authorization: Bearer token-1");
  expect(first).toContain("https://duka.test/v1/businesses");
  expect(describeDeployment({ ...result, operatorToken: null })).not.toContain("Bearer");
});

it("takes no domain from another Worker", async () => {
  const { deploy, writes } = createDeployment();
  const env = { DOMAINS: "shop.example.com" };
  await deploy({ env });
  writes.length = 0;
  await expect(deploy({ environment: "staging", env })).rejects.toThrow(
    "shop.example.com belongs to the Worker duka-front. Remove it there first.",
  );
  expect(writes).toEqual([]);
});

it("refuses a second deployment of an environment at the same time", async () => {
  const { folder } = createDeployment();
  const files = openDeployFiles(folder, "production");
  await files.withLock(async () => {
    await expect(files.withLock(async () => {})).rejects.toThrow("deploys production already");
  });
  await expect(files.withLock(async () => "done")).resolves.toBe("done");
});
