import { resolve } from "node:path";
import { findSettingProblems, settingRows } from "../deploy/settings.ts";
import { root } from "../dev/paths.ts";
import { type IsTrustedProxy, parseTrustedProxies } from "./http/client-address.ts";

type Environment = Readonly<NodeJS.Dict<string>>;
export type Variables = Readonly<Record<string, string>>;

export type ServeSettings = Readonly<{
  host: string;
  port: number;
  stateDir: string;
  isTrustedProxy: IsTrustedProxy;
  /** The networks that the Workers may reach. */
  outboundNetworks: readonly string[];
  /** The variables of the Workers that the environment sets. */
  variables: Variables;
}>;

/** The folder of databases, objects, files and secrets. */
export const serveStateDir = (environment: Environment): string =>
  resolve(root, environment.STATE_DIR || ".serve");

/**
 * Reads the settings of `npm run serve` from the environment.
 *
 * @throws Error that names each setting that is wrong.
 */
export function readSettings(environment: Environment): ServeSettings {
  const port = Number(environment.PORT || 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, not ${environment.PORT}.`);
  const variables = workerVariables(environment);
  assertForProduction(variables);
  return {
    host: environment.HOST || "127.0.0.1",
    port,
    stateDir: serveStateDir(environment),
    isTrustedProxy: parseTrustedProxies(environment.TRUSTED_PROXY ?? ""),
    outboundNetworks: [
      "public",
      ...(variables[localWebhooks] === "true" ? ["127.0.0.0/8", "::1/128"] : []),
      ...(environment.OUTBOUND_ALLOW ?? "").split(",").map((entry) => entry.trim()),
    ].filter((network) => network !== ""),
    variables,
  };
}

/** For tests on one machine: it opens the networks of this machine. */
const localWebhooks = "ALLOW_LOCAL_WEBHOOKS";

/** The settings of the Workers that the environment sets. The shards are those of wrangler.toml. */
function workerVariables(environment: Environment): Variables {
  const names = settingRows.map(({ name }) => name).filter((name) => name !== "SHOP_SHARDS");
  return Object.fromEntries(
    // Test codes are read so that the check below can refuse them.
    [...names, localWebhooks, "CONSOLE_TEST_CODES"].flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** Those of the settings that a Worker has. The front and the pages get no secrets. */
export function variablesFor(worker: string, variables: Variables): Variables {
  const rows = settingRows.filter(({ workers }) => workers.some((name) => name === worker));
  const names = new Set([...rows.map(({ name }) => name), localWebhooks]);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}

/** Refuses what is for development only, and a provider without its credentials. */
function assertForProduction(variables: Variables): void {
  const settings = new Map(Object.entries({ SHOP_SHARDS: "SHOP_1", ...variables }));
  settings.delete(localWebhooks);
  const problems = findSettingProblems(settings, () => false);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
