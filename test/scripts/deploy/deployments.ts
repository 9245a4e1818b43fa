import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { connectToCloudflare } from "../../../scripts/deploy/cloudflare/api.ts";
import { openDeployFiles } from "../../../scripts/deploy/deploy-files.ts";
import { planDeploy } from "../../../scripts/deploy/run-deploy.ts";
import type { UploadWorker } from "../../../scripts/deploy/upload.ts";
import {
  assertEnvironment,
  readWorkerConfigs,
  type WranglerConfig,
} from "../../../scripts/deploy/worker-config.ts";
import { createAccountState } from "./cloudflare-account.ts";
import { accountId, respond } from "./cloudflare-api.ts";

const address = "https://cloudflare.test/client/v4";
const configs = await readWorkerConfigs();

/** Where a connection breaks: before Cloudflare gets a call, or before its response arrives. */
export type Cut = Readonly<{ call: number; when: "before" | "after" }>;

/** A Cloudflare account, and a machine that deploys to it. */
export function createDeployment({ migrations = createSmallMigrations() } = {}) {
  const folder = createFolder();
  const settingsPath = (environment = "production") => join(folder, `${environment}.env`);
  const state = createAccountState();
  const writes: string[] = [];
  let methods: string[] = [];

  const fetchResponse = (cut: Cut | null) => async (request: Request) => {
    methods.push(request.method);
    const isCut = cut?.call === methods.length;
    if (isCut && cut.when === "before") throw new TypeError("fetch failed");
    if (!["GET", "HEAD"].includes(request.method)) writes.push(`${request.method} ${request.url}`);
    const response = await respond(state, request);
    if (isCut) throw new TypeError("fetch failed");
    return response;
  };

  /** Plans a deployment, and runs its steps unless `isDryRun`. Returns their titles. */
  async function deploy({
    environment = "production",
    env = {},
    cut = null,
    isDryRun = false,
  }: {
    environment?: string;
    env?: NodeJS.Dict<string>;
    cut?: Cut | null;
    isDryRun?: boolean;
  } = {}) {
    methods = [];
    const send = fetchResponse(cut);
    assertEnvironment(environment);
    const files = openDeployFiles(folder, environment);
    const api = connectToCloudflare(address, "token", send);
    const upload = uploadTo(send);
    const context = { api, accountId, environment, configs, files, env, migrations, upload };
    const plan = await planDeploy(context);
    if (!isDryRun) for (const { run } of plan.steps) await run();
    return { ...plan, titles: plan.steps.map(({ title }) => title), methods };
  }

  return {
    state,
    deploy,
    folder,
    migrations,
    /** The calls that change the account. */
    writes,
    settingsPath,
    readFile: (name: string) => readFileSync(join(folder, name), "utf8"),
    writeSettings: (text: string) => writeFileSync(settingsPath(), text),
    /** Deletes the machine's files, as if another machine deployed. */
    forgetFiles: () => rmSync(folder, { recursive: true }),
    /** The value that a Worker has for a setting. */
    settingOf: (worker: string, name: string) =>
      state.scripts.get(worker)?.bindings.find((binding) => binding.name === name)?.text,
  };
}

/** Uploads with the calls of wrangler that change the account. */
const uploadTo =
  (send: (request: Request) => Promise<Response>): UploadWorker =>
  async ({ name, configPath, secretsPath }) => {
    const config: WranglerConfig = JSON.parse(readFileSync(configPath, "utf8"));
    const secrets = secretsPath === null ? {} : JSON.parse(readFileSync(secretsPath, "utf8"));
    const call = async (method: string, path: string, body: BodyInit) => {
      const url = `${address}/accounts/${accountId}/workers/scripts/${name}${path}`;
      const response = await send(new Request(url, { method, body }));
      if (!response.ok) throw new Error(await response.text());
    };
    const form = new FormData();
    const texts = (type: string, values: object) =>
      Object.entries(values).map(([key, text]) => ({ type, name: key, text }));
    const bindings = [
      ...texts("plain_text", config.vars ?? {}),
      ...texts("secret_text", secrets),
      ...(config.d1_databases ?? []).map(({ binding, database_id: id }) => ({
        type: "d1",
        name: binding,
        id,
      })),
      ...(config.services ?? []).map(({ binding, service }) => ({
        type: "service",
        name: binding,
        service,
      })),
      ...(config.queues?.producers ?? []).map(({ binding, queue }) => ({
        type: "queue",
        name: binding,
        queue_name: queue,
      })),
    ];
    form.set("metadata", JSON.stringify({ bindings, keep_bindings: ["secret_text"] }));
    await call("PUT", "", form);
    await call("POST", "/subdomain", JSON.stringify({ enabled: config.workers_dev ?? true }));
    const origins = config.routes?.map(({ pattern }) => ({ hostname: pattern })) ?? [];
    if (origins.length > 0) await call("PUT", "/domains/records", JSON.stringify({ origins }));
  };

/** Two short migrations, because the real ones take most of a deployment's time. */
function createSmallMigrations(): string {
  const folder = createFolder();
  for (const kind of ["core", "shop"]) {
    mkdirSync(join(folder, kind));
    writeFileSync(join(folder, kind, "0000_baseline.sql"), "CREATE TABLE orders (id TEXT);");
    writeFileSync(join(folder, kind, "0001_totals.sql"), "ALTER TABLE orders ADD total INTEGER;");
  }
  return folder;
}

/** A temporary folder, which is removed after the test. */
export function createFolder(cleanUp: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "duka-deploy-"));
  cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
