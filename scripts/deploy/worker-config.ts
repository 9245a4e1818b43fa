import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { root } from "../dev/paths.ts";
import { DeployProblem } from "./deploy-problem.ts";
import { deployOrder, type WorkerName } from "./workers.ts";

const DatabaseBinding = z.looseObject({ binding: z.string(), database_name: z.string() });
const Service = z.looseObject({ service: z.string() });

/** The parts of a wrangler.toml that a deployment changes. All others are passed on. */
const WranglerConfig = z.looseObject({
  name: z.string(),
  main: z.string(),
  alias: z.record(z.string(), z.string()).optional(),
  d1_databases: z.array(DatabaseBinding).optional(),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })).optional(),
  queues: z
    .looseObject({
      producers: z.array(z.looseObject({ queue: z.string() })).optional(),
      consumers: z
        .array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() }))
        .optional(),
    })
    .optional(),
  durable_objects: z
    .looseObject({ bindings: z.array(z.looseObject({ script_name: z.string().optional() })) })
    .optional(),
  services: z.array(Service).optional(),
  assets: z.looseObject({ directory: z.string() }).optional(),
  vars: z.record(z.string(), z.string()).optional(),
  routes: z.array(z.looseObject({ pattern: z.string() })).optional(),
});

export type WranglerConfig = z.infer<typeof WranglerConfig>;
export type WorkerConfigs = ReadonlyMap<WorkerName, WranglerConfig>;

/** The databases, buckets and queues of a deployment, by the names that they have in the account. */
export type Resources = Readonly<{
  databases: readonly Readonly<{ name: string; migrations: "core" | "shop" }>[];
  buckets: readonly string[];
  queues: readonly string[];
}>;

/** What a deployment writes into the configuration of its Workers. */
export type Deployment = Readonly<{
  environment: string;
  /** The names of the shards' bindings. */
  shards: readonly string[];
  /** The hosts of the front Worker; without one it is reached at workers.dev. */
  domains: readonly string[];
}>;

/** The environment whose resources have no suffix. */
export const production = "production";

const environmentPattern = /^[a-z][a-z0-9]{0,19}$/;

/** @throws DeployProblem when the name cannot be part of the names of Workers and databases. */
export function assertEnvironment(name: string): void {
  // `dead` would name the queues of failed messages.
  if (environmentPattern.test(name) && name !== "dead") return;
  throw new DeployProblem(
    `--env must be a word of at most 20 lower-case letters and digits, such as staging, not ${JSON.stringify(name)}.`,
  );
}

/** The name in the account. Like wrangler, it ends with the environment. */
export const nameIn = (environment: string, name: string): string =>
  environment === production ? name : `${name}-${environment}`;

/** Reads the wrangler.toml of every Worker. */
export async function readWorkerConfigs(): Promise<WorkerConfigs> {
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  return new Map(
    deployOrder.map(({ name, config }) => {
      const { rawConfig } = readRawConfig({ config: join(root, config) });
      const { alias, ...parsed } = WranglerConfig.parse(rawConfig);
      return [name, { ...parsed, ...(alias && { alias: resolveAliases(alias) }) }];
    }),
  );
}

/** The paths of packages' files, because wrangler looks for them from the folder of its file. */
function resolveAliases(aliases: Readonly<Record<string, string>>): Record<string, string> {
  const { resolve } = createRequire(join(root, "package.json"));
  return Object.fromEntries(Object.entries(aliases).map(([name, file]) => [name, resolve(file)]));
}

/** The variables that a wrangler.toml gives to its Worker. */
export const variablesOf = (configs: WorkerConfigs, worker: WorkerName) =>
  configs.get(worker)?.vars ?? {};

export function resourcesOf(configs: WorkerConfigs, deployment: Deployment): Resources {
  const all = [...configs.values()];
  const names = (found: readonly string[]) =>
    [...new Set(found)].map((name) => nameIn(deployment.environment, name));
  const queues = all.flatMap(({ queues: { producers = [], consumers = [] } = {} }) => [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => (dead ? [queue, dead] : [queue])),
  ]);
  const buckets = all.flatMap(({ r2_buckets = [] }) => r2_buckets.map((one) => one.bucket_name));
  const databases = databasesOf(deployment).map(({ database_name: name, binding }) => ({
    name,
    migrations: binding === "CORE" ? ("core" as const) : ("shop" as const),
  }));
  return { databases, buckets: names(buckets), queues: names(queues) };
}

const databasesOf = ({ environment, shards }: Deployment) =>
  ["CORE", ...shards].map((binding) => ({
    binding,
    database_name: nameIn(environment, `duka-${binding.toLowerCase().replace("_", "-")}`),
  }));

/**
 * The configuration with which wrangler deploys a Worker: its wrangler.toml with the names of the
 * environment, the ids of the databases and the variables of the deployment. `folder` is where the
 * file is written, because its paths are relative to it.
 */
export function deployedConfig(
  worker: WorkerName,
  config: WranglerConfig,
  deployment: Deployment,
  details: Readonly<{
    folder: string;
    databaseIds: ReadonlyMap<string, string>;
    variables: Readonly<Record<string, string>>;
  }>,
): WranglerConfig {
  const { environment, domains } = deployment;
  const source = dirname(deployOrder.find(({ name }) => name === worker)?.config ?? "");
  const pathOf = (path: string) => relative(details.folder, join(root, source, path));
  const named = (name: string) => nameIn(environment, name);
  const { d1_databases, r2_buckets, queues, durable_objects, services, assets } = config;
  const { EMAIL_PROVIDER: emailProvider } = details.variables;
  return {
    ...config,
    name: named(config.name),
    main: pathOf(config.main),
    ...(assets && { assets: { ...assets, directory: pathOf(assets.directory) } }),
    ...(d1_databases && {
      d1_databases: databasesOf(deployment).map((database) => ({
        ...database,
        database_id: details.databaseIds.get(database.database_name) ?? "",
      })),
    }),
    ...(r2_buckets && {
      r2_buckets: r2_buckets.map((one) => ({ ...one, bucket_name: named(one.bucket_name) })),
    }),
    ...(queues && { queues: renameQueues(queues, named) }),
    ...(durable_objects && {
      durable_objects: {
        ...durable_objects,
        bindings: durable_objects.bindings.map(({ script_name: script, ...binding }) =>
          script === undefined ? binding : { ...binding, script_name: named(script) },
        ),
      },
    }),
    ...(services && {
      services: services.map((one) => ({ ...one, service: named(one.service) })),
    }),
    ...(worker === "duka-background" &&
      emailProvider === "cloudflare" && { send_email: [{ name: "EMAIL" }] }),
    ...(worker === "duka-front" && addressOptions(domains)),
    vars: { ...config.vars, ...details.variables },
  };
}

function renameQueues(
  { producers, consumers }: NonNullable<WranglerConfig["queues"]>,
  named: (name: string) => string,
) {
  return {
    ...(producers && { producers: producers.map((one) => ({ ...one, queue: named(one.queue) })) }),
    ...(consumers && {
      consumers: consumers.map(({ dead_letter_queue: dead, ...one }) => ({
        ...one,
        queue: named(one.queue),
        ...(dead !== undefined && { dead_letter_queue: named(dead) }),
      })),
    }),
  };
}

/** Previews are off, because each would be the whole service at another address. */
const addressOptions = (domains: readonly string[]) => ({
  workers_dev: domains.length === 0,
  preview_urls: false,
  ...(domains.length > 0 && {
    routes: domains.map((pattern) => ({ pattern, custom_domain: true })),
  }),
});
