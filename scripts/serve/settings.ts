import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findSettingProblems } from "../deploy/settings.ts";
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
      ...(variables.ALLOW_LOCAL_WEBHOOKS === "true" ? ["127.0.0.0/8", "::1/128"] : []),
      ...(environment.OUTBOUND_ALLOW ?? "").split(",").map((entry) => entry.trim()),
    ].filter((network) => network !== ""),
    variables,
  };
}

/** The variables of .dev.vars.example that the environment sets. */
function workerVariables(environment: Environment): Variables {
  const example = readFileSync(join(root, ".dev.vars.example"), "utf8");
  const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = ""]) => name);
  return Object.fromEntries(
    [...names, "UPLOADS_PER_HOUR_PER_ADDRESS", "CODES_PER_HOUR_PER_ADDRESS"].flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** Refuses what is for development only, and a provider without its credentials. */
function assertForProduction(variables: Variables): void {
  const settings = new Map(Object.entries({ SHOP_SHARDS: "SHOP_1", ...variables }));
  settings.delete("ALLOW_LOCAL_WEBHOOKS"); // here it opens the networks of this machine
  const problems = findSettingProblems(settings, () => false);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}
