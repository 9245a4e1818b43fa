import { z } from "zod";
import type { CloudflareApi } from "./cloudflare/api.ts";
import { nullWhenMissing } from "./cloudflare/api.ts";
import { type DeployState, digestOf } from "./deploy-files.ts";
import { type Setting, type Settings, settingRows } from "./settings.ts";
import { nameIn } from "./worker-config.ts";
import { deployOrder, type WorkerName } from "./workers.ts";

/** The names of each Worker's secrets; null for a Worker that was never deployed. */
export type SetSecrets = ReadonlyMap<WorkerName, ReadonlySet<string> | null>;

export type SecretsPlan = Readonly<{
  /** The secrets to draw, because no Worker has them and no setting gives them. */
  drawn: readonly Setting[];
  /** Secrets that only some Workers have, and whose values are not known here. */
  problems: readonly string[];
}>;

const SecretNames = z.array(z.object({ name: z.string() }));

/** Lists the secrets of every Worker. Cloudflare shows their names and not their values. */
export async function listSetSecrets(
  api: CloudflareApi,
  account: string,
  environment: string,
): Promise<SetSecrets> {
  return new Map(
    await Promise.all(
      deployOrder.map(async ({ name }) => {
        const path = `${account}/workers/scripts/${nameIn(environment, name)}/secrets`;
        const listed = await nullWhenMissing(api.get(path, SecretNames));
        return [name, listed && new Set(listed.map((secret) => secret.name))] as const;
      }),
    ),
  );
}

/** Whether any Worker has the secret. */
export const isSetAnywhere = (set: SetSecrets, secret: string): boolean =>
  [...set.values()].some((names) => names?.has(secret));

export function planSecrets(settings: Settings, set: SetSecrets, file: string): SecretsPlan {
  const unknown = secretRows.filter(({ name }) => !settings.has(name));
  const isUnset = ({ name }: Setting) => !isSetAnywhere(set, name);
  return {
    drawn: unknown.filter((row) => row.draw !== undefined && isUnset(row)),
    problems: unknown.filter((row) => !isUnset(row)).flatMap((row) => partlySet(row, set, file)),
  };
}

/**
 * A Worker that lacks a secret of the others cannot be deployed without its value: with another one
 * it would not accept their sessions or signatures.
 */
function partlySet({ name, workers }: Setting, set: SetSecrets, file: string): string[] {
  const lacking = workers.filter((worker) => !set.get(worker)?.has(name));
  if (lacking.length === 0) return [];
  const having = workers.filter((worker) => set.get(worker)?.has(name));
  return [
    `${name} is set for ${having.join(", ")} and not for ${lacking.join(", ")}. Cloudflare does not show its value: write the value into ${file}. If it is lost, a new one there replaces it everywhere (docs/deploy.md#lost-secrets).`,
  ];
}

/** The secrets to set with a Worker's next upload: those that it lacks, and changed ones. */
export function secretsFor(
  worker: WorkerName,
  settings: Settings,
  set: SetSecrets,
  { secrets: recorded }: DeployState,
): Record<string, string> {
  const names = set.get(worker);
  return Object.fromEntries(
    secretRows
      .filter(({ workers }) => workers.includes(worker))
      .flatMap(({ name }) => {
        const value = settings.get(name);
        if (value === undefined) return [];
        const isCurrent = names?.has(name) && recorded[worker]?.[name] === digestOf(value);
        return isCurrent ? [] : [[name, value]];
      }),
  );
}

const secretRows = settingRows.filter(({ kind }) => kind === "secret");

/**
 * The Workers in the order of this deployment. The background Worker signs webhooks, so it gets a
 * changed secret before the Workers that derive new webhooks' secrets from it.
 */
export function orderOf(settings: Settings, set: SetSecrets, state: DeployState) {
  const signer = "duka-background";
  const isDeployed = set.get(signer)?.has("WEBHOOK_SIGNING_SECRET") ?? false;
  const changes = secretsFor(signer, settings, set, state);
  if (!isDeployed || changes.WEBHOOK_SIGNING_SECRET === undefined) return deployOrder;
  return [...deployOrder].sort((a, b) => Number(b.name === signer) - Number(a.name === signer));
}
