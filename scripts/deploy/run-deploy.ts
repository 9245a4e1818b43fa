import { join } from "node:path";
import {
  findSubdomain,
  findTakenDomains,
  registerSubdomain,
  subdomainFor,
} from "./cloudflare/address.ts";
import type { CloudflareApi } from "./cloudflare/api.ts";
import { readDeployedSettings } from "./cloudflare/deployed-settings.ts";
import { applyMigrations, listAppliedMigrations, migrationNames } from "./cloudflare/migrations.ts";
import {
  createBucket,
  createDatabase,
  createQueue,
  listExistingResources,
} from "./cloudflare/resources.ts";
import { type DeployFiles, digestOf } from "./deploy-files.ts";
import { DeployProblem } from "./deploy-problem.ts";
import {
  isSetAnywhere,
  listSetSecrets,
  orderOf,
  planSecrets,
  type SetSecrets,
  secretsFor,
} from "./secrets.ts";
import {
  assertNoProblems,
  findSettingProblems,
  mergeSettings,
  type Settings,
  splitList,
  variablesFor,
} from "./settings.ts";
import type { UploadWorker } from "./upload.ts";
import {
  type Deployment,
  deployedConfig,
  nameIn,
  resourcesOf,
  variablesOf,
  type WorkerConfigs,
} from "./worker-config.ts";

/** A part of a deployment. Running it again after an interruption does no harm. */
export type Step = Readonly<{ title: string; run(): Promise<void> }>;

export type DeployPlan = Readonly<{
  steps: readonly Step[];
  /** The public origin of the service. */
  origin: string;
  /** The settings of the Workers, with those that the steps draw once they have run. */
  settings: Map<string, string>;
}>;

export type DeployContext = Readonly<{
  api: CloudflareApi;
  accountId: string;
  environment: string;
  configs: WorkerConfigs;
  files: DeployFiles;
  env: NodeJS.Dict<string>;
  /** The folder with the migrations of `core` and `shop`. */
  migrations: string;
  upload: UploadWorker;
}>;

/**
 * Compares the account with what the deployment needs. Every step follows from what the account
 * lacks, so a run that was interrupted continues when the command runs again.
 */
export async function planDeploy(context: DeployContext): Promise<DeployPlan> {
  const { api, accountId, environment, configs, files } = context;
  const account = `/accounts/${accountId}`;
  const set = await listSetSecrets(api, account, environment);
  const { settings, steps: settingsSteps } = await loadSettings(context, account, set);
  const deployment: Deployment = {
    environment,
    shards: splitList(settings.get("SHOP_SHARDS")),
    domains: splitList(settings.get("DOMAINS")),
  };
  const resources = resourcesOf(configs, deployment);
  const existing = await listExistingResources(api, account, resources);
  const address = await planAddress(context, account, deployment, settings);
  if (!settings.has("PUBLIC_URL")) settings.set("PUBLIC_URL", address.origin);

  const databaseIds = new Map(existing.databases);
  const isMissing = (found: ReadonlySet<string>) => (name: string) => !found.has(name);
  const steps: Step[] = [
    ...settingsSteps,
    ...planDrawnSecrets(files, settings, set),
    ...resources.databases
      .filter(({ name }) => !existing.databases.has(name))
      .map(({ name }) => ({
        title: `create the D1 database ${name}`,
        run: async () => {
          const location = settings.get("D1_LOCATION");
          databaseIds.set(name, await createDatabase(api, account, name, location));
        },
      })),
    ...resources.buckets.filter(isMissing(existing.buckets)).map((name) => ({
      title: `create the R2 bucket ${name}`,
      run: async () => void (await createBucket(api, account, name)),
    })),
    ...resources.queues.filter(isMissing(existing.queues)).map((name) => ({
      title: `create the queue ${name}`,
      run: async () => void (await createQueue(api, account, name)),
    })),
    ...address.steps,
    ...(await planMigrations(context, account, resources.databases, databaseIds)),
    ...planUploads(context, { settings, set, deployment, databaseIds }),
  ];
  return { steps, origin: address.origin, settings };
}

/**
 * The settings of the file and the environment. A machine without the file takes the variables of
 * the Workers that are deployed, and keeps them in a new file.
 */
async function loadSettings(
  { api, environment, configs, files, env }: DeployContext,
  account: string,
  set: SetSecrets,
): Promise<Readonly<{ settings: Map<string, string>; steps: Step[] }>> {
  const file = files.readSettings();
  const deployed = file ?? (await readDeployedSettings(api, account, environment, set));
  const settings = new Map([
    ...Object.entries(variablesOf(configs, "duka-business")),
    ...mergeSettings(deployed, env),
  ]);
  const problems = [
    ...findSettingProblems(settings, (name) => isSetAnywhere(set, name)),
    ...planSecrets(settings, set, files.settingsPath).problems,
    ...(await findTakenDomains(
      api,
      account,
      splitList(settings.get("DOMAINS")),
      nameIn(environment, "duka-front"),
    )),
  ];
  assertNoProblems(problems, files.settingsPath);
  if (file !== null) return { settings, steps: [] };
  const createFile = {
    title: `create ${files.settingsPath}`,
    run: async () => files.appendSettings(deployed, "Settings of the deployed Workers."),
  };
  return { settings, steps: [createFile] };
}

/** The step that draws missing secrets and keeps them before any Worker gets them. */
function planDrawnSecrets(
  files: DeployFiles,
  settings: Map<string, string>,
  set: SetSecrets,
): Step[] {
  const { drawn } = planSecrets(settings, set, files.settingsPath);
  if (drawn.length === 0) return [];
  return [
    {
      title: `draw ${drawn.map(({ name }) => name).join(", ")} and keep them in ${files.settingsPath}`,
      run: async () => {
        const values = new Map(drawn.map(({ name, draw }) => [name, draw?.() ?? ""]));
        files.appendSettings(values, "Drawn by npm run deploy.");
        for (const [name, value] of values) settings.set(name, value);
      },
    },
  ];
}

/** The origin of the service, which needs a name below workers.dev when it has no domain. */
async function planAddress(
  { api, accountId, environment }: DeployContext,
  account: string,
  { domains: [domain] }: Deployment,
  settings: Settings,
): Promise<Readonly<{ origin: string; steps: Step[] }>> {
  if (domain !== undefined) return { origin: `https://${domain}`, steps: [] };
  const existing = await findSubdomain(api, account);
  const subdomain = existing ?? settings.get("WORKERS_SUBDOMAIN") ?? subdomainFor(accountId);
  const origin = `https://${nameIn(environment, "duka-front")}.${subdomain}.workers.dev`;
  if (existing !== null) return { origin, steps: [] };
  const register = {
    title: `register ${subdomain}.workers.dev for the account`,
    run: async () => void (await registerSubdomain(api, account, subdomain)),
  };
  return { origin, steps: [register] };
}

/**
 * The migrations come before the Workers, because new code may need new columns. @throws
 * DeployProblem when a database in use would get a migration that the running Workers cannot bear.
 */
async function planMigrations(
  { api, migrations }: DeployContext,
  account: string,
  databases: readonly Readonly<{ name: string; migrations: string }>[],
  ids: ReadonlyMap<string, string>,
): Promise<Step[]> {
  const steps = await Promise.all(
    databases.map(async ({ name, migrations: kind }): Promise<Step[]> => {
      const folder = join(migrations, kind);
      const pathOf = () => `${account}/d1/database/${ids.get(name)}`;
      const applied = ids.has(name) ? await listAppliedMigrations(api, pathOf()) : new Set();
      const pending = migrationNames(folder).filter((file) => !applied.has(file));
      if (pending.length === 0) return [];
      if (applied.size > 0) await assertBearable(folder, pending);
      const title = `apply ${pending.length} migration${pending.length > 1 ? "s" : ""} to ${name}`;
      return [{ title, run: () => applyMigrations(api, pathOf(), folder) }];
    }),
  );
  return steps.flat();
}

async function assertBearable(folder: string, pending: readonly string[]): Promise<void> {
  const { describeUnsafe, findUnsafeMigrations } = await import("./migrations/find-unsafe.ts");
  const unsafe = findUnsafeMigrations(folder).filter(({ name }) => pending.includes(name));
  if (unsafe.length === 0) return;
  throw new DeployProblem(
    `Nothing was deployed. These migrations would break the Workers that run now:\n\n${unsafe.map(describeUnsafe).join("\n")}`,
  );
}

function planUploads(
  { environment, accountId, configs, files, upload }: DeployContext,
  {
    settings,
    set,
    deployment,
    databaseIds,
  }: Readonly<{
    settings: Settings;
    set: SetSecrets;
    deployment: Deployment;
    databaseIds: ReadonlyMap<string, string>;
  }>,
): Step[] {
  const { buildFolder: folder } = files;
  return orderOf(settings, set, files.readState()).map(({ name: worker }) => ({
    title: `deploy ${nameIn(environment, worker)}`,
    run: async () => {
      const config = configs.get(worker);
      if (!config) throw new Error(`${worker} has no configuration.`);
      const variables = variablesFor(worker, settings);
      const details = { folder, databaseIds, variables };
      const content = deployedConfig(worker, config, deployment, details);
      const secrets = secretsFor(worker, settings, set, files.readState());
      const secretsFile = `${worker}.secrets.json`;
      const hasSecrets = Object.keys(secrets).length > 0;
      try {
        await upload({
          name: content.name,
          configPath: files.writeBuildFile(`${worker}.json`, content),
          secretsPath: hasSecrets ? files.writeBuildFile(secretsFile, secrets) : null,
          accountId,
        });
      } finally {
        files.removeBuildFile(secretsFile);
      }
      recordSecrets(files, worker, secrets);
    },
  }));
}

/** Remembers which values a Worker has, so that only changed ones are set again. */
function recordSecrets(
  files: DeployFiles,
  worker: string,
  secrets: Readonly<Record<string, string>>,
): void {
  const state = files.readState();
  const digests = Object.entries(secrets).map(([name, value]) => [name, digestOf(value)] as const);
  const recorded = { ...state.secrets[worker], ...Object.fromEntries(digests) };
  files.writeState({ ...state, secrets: { ...state.secrets, [worker]: recorded } });
}
