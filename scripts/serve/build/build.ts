import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { WorkerOptions } from "miniflare";
import { root } from "../../dev/paths.ts";
import { type Modules, readModules } from "./bundles.ts";
import { digestSources } from "./source-digest.ts";

/** A Worker's options from its wrangler.toml, without its code. They are kept as JSON. */
export type WorkerSettings = Pick<
  WorkerOptions,
  | "bindings"
  | "compatibilityDate"
  | "compatibilityFlags"
  | "d1Databases"
  | "durableObjects"
  | "queueConsumers"
  | "queueProducers"
  | "r2Buckets"
  | "serviceBindings"
>;

/** How the front Worker serves its static files. */
type AssetSettings = Omit<NonNullable<WorkerOptions["assets"]>, "directory">;

export type BuiltWorker = Readonly<{
  name: string;
  settings: WorkerSettings;
  modules: Modules;
  /** The static files, for the Worker that has any. */
  assets: NonNullable<WorkerOptions["assets"]> | null;
}>;

type Manifest = Readonly<{
  /** Null when the sources were not there. */
  digest: string | null;
  workers: readonly Readonly<{
    name: string;
    settings: WorkerSettings;
    assets: AssetSettings | null;
  }>[];
}>;

const folder = join(root, "dist/serve");
const manifestFile = join(folder, "manifest.json");
const siteFolder = "site";

/** Reads the built Workers, and builds them before when there are none or the sources changed. */
export async function loadBuild(report: (message: string) => void): Promise<BuiltWorker[]> {
  const digest = digestSources();
  const manifest = readManifest();
  if (manifest !== null && (digest === null || manifest.digest === digest)) return read(manifest);
  report("The Workers are built, because there is no build of these sources yet.");
  return buildWorkers();
}

/** Builds the Workers like a deployment, with the console and the API reference. */
export async function buildWorkers(): Promise<BuiltWorker[]> {
  // The container image has no build tools. It never needs them, because it has the build.
  const [
    { buildBundles, removeWhitespace },
    { readWorkerConfigs, variablesOf },
    { copyApiReference },
    { buildConsole },
    wrangler,
  ] = await Promise.all([
    import("./bundles.ts"),
    import("../../deploy/worker-config.ts"),
    import("../../dev/api-reference.ts"),
    import("../../dev/console.ts"),
    import("wrangler"),
  ]);
  const digest = digestSources();
  const unfinished = `${folder}.partial`;
  const deletion = { recursive: true, force: true } as const;
  rmSync(unfinished, deletion);
  mkdirSync(unfinished, { recursive: true });
  copyApiReference();
  await buildConsole();
  const bundles = await buildBundles(unfinished);
  for (const file of readdirSync(unfinished, { recursive: true, encoding: "utf8" })) {
    if (/-logs$|\.map$|README\.md$/.test(file)) rmSync(join(unfinished, file), deletion);
  }
  await Promise.all(bundles.map(({ name }) => removeWhitespace(join(unfinished, name))));
  const configs = await readWorkerConfigs();
  const workers = bundles.map(({ name, config }) => {
    // Safe: wrangler returns options of Miniflare 4, but types them with its own copy of Miniflare.
    const options = wrangler.unstable_getMiniflareWorkerOptions(join(root, config))
      .workerOptions as WorkerOptions;
    const { directory = null, ...assets } = options.assets ?? {};
    if (directory !== null) cpSync(directory, join(unfinished, siteFolder), { recursive: true });
    return {
      name,
      settings: settingsOf(options, variablesOf(configs, name)),
      assets: directory === null ? null : assets,
    };
  });
  const manifest: Manifest = { digest, workers };
  writeFileSync(join(unfinished, "manifest.json"), JSON.stringify(manifest, null, 2));
  rmSync(folder, deletion);
  renameSync(unfinished, folder);
  return read(manifest);
}

const settingsOf = (
  options: WorkerOptions,
  variables: Readonly<Record<string, string>>,
): WorkerSettings => ({
  // Not those of `options`, which also have what .dev.vars says for development.
  bindings: variables,
  compatibilityDate: options.compatibilityDate,
  compatibilityFlags: options.compatibilityFlags,
  d1Databases: options.d1Databases,
  durableObjects: options.durableObjects,
  queueConsumers: options.queueConsumers,
  queueProducers: options.queueProducers,
  r2Buckets: options.r2Buckets,
  serviceBindings: options.serviceBindings,
});

function readManifest(): Manifest | null {
  if (!existsSync(manifestFile)) return null;
  return JSON.parse(readFileSync(manifestFile, "utf8"));
}

const read = ({ workers }: Manifest): BuiltWorker[] =>
  workers.map(({ name, settings, assets }) => ({
    name,
    settings,
    modules: readModules(join(folder, name)),
    assets: assets && { ...assets, workerName: name, directory: join(folder, siteFolder) },
  }));
