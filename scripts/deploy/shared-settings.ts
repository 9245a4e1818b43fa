import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, wranglerBin } from "../dev/paths.ts";
import { deployOrder } from "./workers.ts";

/** The names of a Worker's secrets; null for a Worker that has not been deployed yet. */
export type SecretNames = ReadonlySet<string> | null;

/** What is set for one Worker. Cloudflare does not show the values of secrets. */
export type WorkerSettings = Readonly<{
  worker: string;
  config: string;
  variables: ReadonlyMap<string, string>;
  secrets: SecretNames;
}>;

type Rule = Readonly<{
  setting: string;
  workers: readonly string[];
  /** Whether no Worker may lack it. Otherwise it is set for all of these Workers or for none. */
  isRequired: boolean;
}>;

const apis = ["duka-storefront", "duka-link", "duka-business"] as const;
const background = "duka-background";
const payments = ["duka-storefront", "duka-business", background] as const;
const messages = ["duka-storefront", "duka-link", background] as const;

const rules: readonly Rule[] = [
  ...["SESSION_SECRET", "WEBHOOK_SIGNING_SECRET", "SHOP_SHARDS"].map((setting) => ({
    setting,
    workers: [...apis, background],
    isRequired: true,
  })),
  ...[
    "CREDENTIALS_KEY",
    "PAYSTACK_SECRET_KEY",
    "PAYSTACK_BASE_URL",
    "PAYSTACK_EMAIL_DOMAIN",
    "STRIPE_BASE_URL",
  ].map((setting) => ({ setting, workers: payments, isRequired: false })),
  { setting: "SMS_PROVIDER", workers: messages, isRequired: false },
  // The console sends its codes and invitations by e-mail only.
  { setting: "EMAIL_PROVIDER", workers: [...apis, background], isRequired: false },
  ...["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"].map((setting) => ({
    setting,
    workers: apis,
    isRequired: false,
  })),
  {
    setting: "CDN_URL",
    workers: ["duka-front", "duka-storefront", "duka-business"],
    isRequired: false,
  },
];

/** What only the background Worker needs for the provider that sends messages. */
const senderSettings: ReadonlyMap<string, readonly string[]> = new Map([
  ["twilio", ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"]],
  ["africas_talking", ["AFRICAS_TALKING_USERNAME", "AFRICAS_TALKING_API_KEY"]],
  ["resend", ["RESEND_API_KEY", "EMAIL_FROM"]],
  ["smtp", ["SMTP_URL", "EMAIL_FROM"]],
  ["cloudflare", ["EMAIL_FROM"]],
]);

/**
 * Finds settings that a Worker lacks although another one has them, and variables whose values
 * differ. Secrets of Workers that were never deployed are not missed: they are set afterwards.
 */
export function findSettingProblems(workers: readonly WorkerSettings[]): string[] {
  return [
    ...rules.flatMap((rule) => problemsOf(rule, workers)),
    ...senderProblems(workers.find(({ worker }) => worker === background)),
    ...workers.flatMap((worker) => developmentProblems(worker)),
  ];
}

function problemsOf({ setting, workers: names, isRequired }: Rule, all: readonly WorkerSettings[]) {
  const concerned = all.filter(({ worker }) => names.includes(worker));
  const having = concerned.filter((one) => isSet(one, setting));
  if (having.length === 0 && !isRequired) return [];
  const lacking = concerned.filter(
    (one) => !having.includes(one) && (one.secrets !== null || isVariable(setting)),
  );
  const values = new Set(having.map(({ variables }) => variables.get(setting)));
  return [
    ...lacking.map(
      ({ worker, config }) => `${setting} is not set for ${worker} (${config}).${reasonOf(having)}`,
    ),
    ...(values.size > 1 && !values.has(undefined)
      ? [`${setting} differs between ${having.map(({ worker }) => worker).join(", ")}.`]
      : []),
  ];
}

const reasonOf = (having: readonly WorkerSettings[]): string =>
  having.length === 0 ? "" : ` It is set for ${having.map(({ worker }) => worker).join(", ")}.`;

function senderProblems(worker: WorkerSettings | undefined): string[] {
  if (!worker || worker.secrets === null) return [];
  return ["SMS_PROVIDER", "EMAIL_PROVIDER"].flatMap((choice) => {
    const provider = worker.variables.get(choice);
    return (senderSettings.get(provider ?? "") ?? [])
      .filter((setting) => !isSet(worker, setting))
      .map(
        (setting) =>
          `${setting} is not set for ${background} (${worker.config}). ${choice}=${provider} needs it.`,
      );
  });
}

/** Settings with which anybody could log in as anybody. */
const developmentProblems = (settings: WorkerSettings): string[] =>
  isSet(settings, "CONSOLE_TEST_CODES")
    ? [
        `CONSOLE_TEST_CODES is set for ${settings.worker} (${settings.config}). Remove it: it is for development only.`,
      ]
    : [];

const isSet = ({ variables, secrets }: WorkerSettings, setting: string): boolean =>
  variables.has(setting) || (secrets?.has(setting) ?? false);

/** Whether the setting is written into wrangler.toml, and so is there before the first deployment. */
const isVariable = (setting: string): boolean =>
  ["SHOP_SHARDS", "SMS_PROVIDER", "EMAIL_PROVIDER", "CDN_URL"].includes(setting);

/** The variables of a wrangler.toml, from its section [vars]. */
export function parseVariables(toml: string): ReadonlyMap<string, string> {
  const [, section = ""] = toml.split(/^\[vars\]$/m);
  const [lines = ""] = section.split(/^\[/m);
  return new Map(
    [...lines.matchAll(/^(\w+) = "([^"]*)"/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/**
 * The secret names in the output of `wrangler secret list`. Null when wrangler says that the Worker
 * does not exist. @throws Error for every other failure.
 */
export function parseSecretList(
  worker: string,
  { status, stdout, stderr }: Readonly<{ status: number | null; stdout: string; stderr: string }>,
): SecretNames {
  if (status === 0) {
    const listed: unknown = JSON.parse(stdout.slice(stdout.indexOf("[")));
    const rows: readonly unknown[] = Array.isArray(listed) ? listed : [];
    return new Set(rows.map((row) => String(Object(row).name)));
  }
  if (/Worker "[^"]+".* not found/.test(`${stdout}${stderr}`)) return null;
  throw new Error(`The secrets of ${worker} cannot be listed:\n${stderr || stdout}`);
}

/** Reads what is set for every Worker, from its wrangler.toml and from Cloudflare. */
export const readWorkerSettings = (): WorkerSettings[] =>
  deployOrder.map(({ name: worker, config }) => {
    const listed = spawnSync(process.execPath, [wranglerBin, "secret", "list", "-c", config], {
      cwd: root,
      encoding: "utf8",
    });
    return {
      worker,
      config,
      variables: parseVariables(readFileSync(join(root, config), "utf8")),
      secrets: parseSecretList(worker, listed),
    };
  });
