import { z } from "zod";
import type { SetSecrets } from "../secrets.ts";
import { type Settings, settingRows } from "../settings.ts";
import { nameIn } from "../worker-config.ts";
import { deployOrder } from "../workers.ts";
import type { CloudflareApi } from "./api.ts";

const WorkerSettings = z.object({
  bindings: z.array(
    z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() }),
  ),
});
const Domain = z.object({ hostname: z.string() });

/**
 * The variables and domains of the deployed Workers. A machine that never deployed the environment
 * therefore keeps them.
 */
export async function readDeployedSettings(
  api: CloudflareApi,
  account: string,
  environment: string,
  set: SetSecrets,
): Promise<Settings> {
  const deployed = deployOrder.filter(({ name }) => set.get(name));
  const scripts = `${account}/workers/scripts`;
  const variables = await Promise.all(
    deployed.map(async ({ name }) => {
      const path = `${scripts}/${nameIn(environment, name)}/settings`;
      const { bindings } = await api.get(path, WorkerSettings);
      return bindings.flatMap(({ type, name: variable, text }): [string, string][] =>
        type === "plain_text" && text !== undefined && isVariable(variable)
          ? [[variable, text]]
          : [],
      );
    }),
  );
  const front = nameIn(environment, "duka-front");
  const domains = set.get("duka-front")
    ? await api.get(`${account}/workers/domains?service=${front}`, z.array(Domain))
    : [];
  return withDomains(new Map(variables.flat()), new Set(domains.map(({ hostname }) => hostname)));
}

/** The first domain is the service's address, which PUBLIC_URL names unless it was set by hand. */
function withDomains(variables: Map<string, string>, domains: ReadonlySet<string>): Settings {
  const { PUBLIC_URL: publicUrl = "", ...others } = Object.fromEntries(variables);
  const host = URL.parse(publicUrl)?.host ?? "";
  const isAddress = domains.has(host) || host.endsWith(".workers.dev");
  const ordered = [...domains].sort((a, b) => Number(b === host) - Number(a === host));
  return new Map([
    ...Object.entries(
      isAddress || publicUrl === "" ? others : { ...others, PUBLIC_URL: publicUrl },
    ),
    ...(ordered.length > 0 ? [["DOMAINS", ordered.join(",")] as const] : []),
  ]);
}

const isVariable = (name: string): boolean =>
  settingRows.some((row) => row.name === name && row.kind === "variable");
