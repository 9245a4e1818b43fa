import { randomBytes } from "node:crypto";
import { DeployProblem } from "./deploy-problem.ts";
import type { WorkerName } from "./workers.ts";

/** A setting of the service and the Workers that have it. */
export type Setting = Readonly<{
  name: string;
  kind: "secret" | "variable";
  workers: readonly WorkerName[];
  /** Draws the value of a secret that the service needs and nobody else knows. */
  draw?: () => string;
}>;

export type Settings = ReadonlyMap<string, string>;

const background = "duka-background";
const apis = ["duka-storefront", "duka-link", "duka-business"] as const;
const agents = "duka-agents";
const services = [...apis, agents, background] as const;
const payments = ["duka-storefront", "duka-business", agents, background] as const;

const drawSecret = () => randomBytes(32).toString("base64url");
/** Its form is in docs/payments.md#credentials-key. */
const drawCredentialsKey = () => `k1:${randomBytes(32).toString("base64")}`;

const secrets = (workers: readonly WorkerName[], names: readonly string[]): Setting[] =>
  names.map((name) => ({ name, kind: "secret", workers }));
const variables = (workers: readonly WorkerName[], names: readonly string[]): Setting[] =>
  names.map((name) => ({ name, kind: "variable", workers }));

export const settingRows: readonly Setting[] = [
  { name: "SESSION_SECRET", kind: "secret", workers: services, draw: drawSecret },
  {
    name: "WEBHOOK_SIGNING_SECRET",
    kind: "secret",
    workers: services,
    draw: drawSecret,
  },
  {
    name: "CREDENTIALS_KEY",
    kind: "secret",
    workers: payments,
    draw: drawCredentialsKey,
  },
  { name: "OPERATOR_TOKEN", kind: "secret", workers: ["duka-business"], draw: drawSecret },
  ...variables(services, ["SHOP_SHARDS", "REQUEST_LOG", "SMS_PROVIDER"]),
  ...variables(services, ["EMAIL_PROVIDER"]),
  ...variables([...services, "duka-front"], ["PUBLIC_URL"]),
  ...variables(["duka-business", background], ["DNS_OVER_HTTPS_URL"]),
  ...variables([...services, "duka-pages"], ["METRICS_INTERVAL_SECONDS"]),
  ...secrets([...apis, background], ["OPENEXCHANGERATES_APP_ID"]),
  ...secrets(payments, ["PAYSTACK_SECRET_KEY"]),
  ...variables(payments, ["PAYSTACK_BASE_URL", "PAYSTACK_EMAIL_DOMAIN", "STRIPE_BASE_URL"]),
  ...secrets(
    [background],
    [
      ...["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
      ...["AFRICAS_TALKING_USERNAME", "AFRICAS_TALKING_API_KEY", "AFRICAS_TALKING_FROM"],
      ...["RESEND_API_KEY", "SMTP_URL", "EMAIL_FROM"],
    ],
  ),
  ...secrets(["duka-storefront"], ["RESEND_WEBHOOK_SECRET"]),
  ...variables(["duka-storefront"], ["PLACES_PROVIDER"]),
  ...secrets(["duka-storefront"], ["GOOGLE_PLACES_API_KEY"]),
  ...secrets([...apis, agents], ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"]),
  ...variables(["duka-front", "duka-storefront", "duka-business", agents], ["CDN_URL"]),
  ...variables(
    [...apis, agents],
    ["CODES_PER_HOUR_PER_ADDRESS", "REQUESTS_PER_SECOND_PER_ADDRESS"],
  ),
  ...variables(["duka-storefront", "duka-business"], ["UPLOADS_PER_HOUR_PER_ADDRESS"]),
];

/** Settings of the deployment that no Worker gets. */
const deploymentSettings = [
  "CLOUDFLARE_ACCOUNT_ID",
  "DOMAINS",
  "D1_LOCATION",
  "WORKERS_SUBDOMAIN",
] as const;

/** Settings with which anybody could log in as anybody, or reach this machine's network. */
const developmentSettings = ["CONSOLE_TEST_CODES", "ALLOW_LOCAL_WEBHOOKS"];

/** What a Worker would refuse at its start, after it was deployed. */
const validValues: Readonly<Record<string, Readonly<{ pattern: RegExp; rule: string }>>> = {
  SESSION_SECRET: { pattern: /^.{32,}$/, rule: "at least 32 characters long" },
  WEBHOOK_SIGNING_SECRET: {
    pattern: /^[^,]{32,}(,[^,]{32,})*$/,
    rule: "at least 32 characters long, and so must be each of several separated by commas",
  },
  OPERATOR_TOKEN: { pattern: /^.{16,}$/, rule: "at least 16 characters long" },
  CREDENTIALS_KEY: {
    pattern: /^[a-z0-9][a-z0-9_-]*:[A-Za-z0-9+/]{43}=(,[a-z0-9][a-z0-9_-]*:[A-Za-z0-9+/]{43}=)*$/,
    rule: "<id>:<32 bytes in base 64>, several separated by commas",
  },
  PAYSTACK_SECRET_KEY: { pattern: /^.{16,}$/, rule: "at least 16 characters long" },
  SMS_PROVIDER: { pattern: /^(twilio|africas_talking)$/, rule: "twilio or africas_talking" },
  EMAIL_PROVIDER: { pattern: /^(resend|smtp|cloudflare)$/, rule: "resend, smtp or cloudflare" },
  PLACES_PROVIDER: { pattern: /^(google|demo)$/, rule: "google or demo" },
  PUBLIC_URL: {
    pattern: /^https?:\/\/[^/\s]+$/,
    rule: "an origin, such as https://shop.example.com",
  },
  CDN_URL: {
    pattern: /^https?:\/\/[^/\s]+\S*$/,
    rule: "a URL, such as https://assets.example.com",
  },
};

/** What the secrets of each provider of messages are. */
const providerSecrets: Readonly<Record<string, readonly string[]>> = {
  twilio: ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  africas_talking: ["AFRICAS_TALKING_USERNAME", "AFRICAS_TALKING_API_KEY"],
  resend: ["RESEND_API_KEY", "EMAIL_FROM"],
  smtp: ["SMTP_URL", "EMAIL_FROM"],
  cloudflare: ["EMAIL_FROM"],
  google: ["GOOGLE_PLACES_API_KEY"],
};

const knownNames = new Set<string>([...settingRows.map(({ name }) => name), ...deploymentSettings]);

/** The settings of a file and of the environment, which wins. Empty values are none. */
export const mergeSettings = (file: Settings, env: NodeJS.Dict<string>): Settings =>
  new Map(
    [
      ...file,
      ...[...knownNames].map((name) => [name, env[name] ?? file.get(name)] as const),
    ].filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );

/**
 * Finds settings that cannot be deployed. `isSecretSet` says whether a Worker already has a secret,
 * whose value Cloudflare does not show.
 */
export function findSettingProblems(
  settings: Settings,
  isSecretSet: (name: string) => boolean,
): string[] {
  const unknown = [...settings.keys()].filter(
    (name) => !knownNames.has(name) && !developmentSettings.includes(name),
  );
  const isSet = (name: string) => settings.has(name) || isSecretSet(name);
  const lacking = ["SMS_PROVIDER", "EMAIL_PROVIDER", "PLACES_PROVIDER"].flatMap((choice) => {
    const provider = settings.get(choice) ?? "";
    return (providerSecrets[provider] ?? [])
      .filter((name) => !isSet(name))
      .map((name) => `${name} is not set. ${choice}=${provider} needs it.`);
  });
  return [
    ...unknown.map((name) => `${name} is not a setting. docs/self-hosting.md lists them.`),
    ...developmentSettings
      .filter((name) => settings.has(name) || isSecretSet(name))
      .map((name) => `${name} is for development only. Remove it.`),
    ...lacking,
    ...findInvalidValues(settings),
    ...findShardProblems(settings.get("SHOP_SHARDS") ?? ""),
    ...splitList(settings.get("DOMAINS"))
      .filter((host) => !/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(host))
      .map((host) => `DOMAINS: ${host} is not a host name, such as shop.example.com.`),
  ];
}

function findInvalidValues(settings: Settings): string[] {
  return Object.entries(validValues).flatMap(([name, { pattern, rule }]) => {
    const value = settings.get(name);
    return value === undefined || pattern.test(value) ? [] : [`${name} must be ${rule}.`];
  });
}

function findShardProblems(list: string): string[] {
  const shards = splitList(list);
  const isValid =
    shards.length > 0 &&
    new Set(shards).size === shards.length &&
    shards.every((shard) => /^SHOP_[1-9][0-9]*$/.test(shard));
  return isValid
    ? []
    : [`SHOP_SHARDS must name shards once, such as SHOP_1,SHOP_2, not "${list}".`];
}

/** The parts of a list that is separated by commas. */
export const splitList = (list: string | undefined): string[] =>
  (list ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The variables of a Worker. */
export const variablesFor = (worker: WorkerName, settings: Settings): Record<string, string> =>
  Object.fromEntries(
    settingRows
      .filter(({ kind, workers }) => kind === "variable" && workers.includes(worker))
      .flatMap(({ name }) => {
        const value = settings.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
  );

/** What the service does without while an optional setting is missing. */
const missingSettingNotes: readonly (readonly [string, string])[] = [
  ["DOMAINS", "the service has no domain of its own"],
  ["CDN_URL", "merchants' assets share the host of the API, under a policy that runs no page"],
  ["EMAIL_PROVIDER", "no e-mail is sent: nobody can log in to the console of a live business"],
  ["SMS_PROVIDER", "phones cannot log in to live businesses"],
  ["PLACES_PROVIDER", "there is no address lookup"],
];

export const notesOnMissingSettings = (settings: Settings): string[] =>
  missingSettingNotes
    .filter(([name]) => !settings.has(name))
    .map(([name, consequence]) => `${name.padEnd(16)} ${consequence}`);

/** @throws DeployProblem that lists the problems, when there are any. */
export function assertNoProblems(problems: readonly string[], file: string): void {
  if (problems.length === 0) return;
  throw new DeployProblem(
    `Nothing was deployed. Correct ${file} or the environment:\n\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
  );
}
