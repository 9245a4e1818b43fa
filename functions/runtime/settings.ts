import { z } from "@hono/zod-openapi";
import type { Keyring } from "../../shared/businesses/index.ts";
import { second } from "../../shared/kernel/index.ts";
import { codesPerAddress } from "../../shared/one-time-codes/index.ts";
import { parseCredentialsKeys } from "./credentials-keys.ts";
import type { RedisSettings } from "./rate-limit-counters.ts";

const isTrue = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");

const smsProviders = ["console", "twilio", "africas_talking"] as const;
const emailProviders = ["console", "resend", "smtp", "cloudflare"] as const;

/** Whether a URL is safe for secrets: https, or http to this machine. */
function isSafeForSecrets(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}

/** A path would be lost where the address is used. */
const isOrigin = (url: string): boolean => URL.canParse(url) && new URL(url).origin === url;

/**
 * The origin of a provider's API. It has no path, because the `stripe` package takes none and would
 * call another address.
 */
const providerOrigin = (example: string) =>
  z
    .string()
    .transform((url) => url.replace(/\/$/, ""))
    .refine(isOrigin, `must be an origin without a path, such as ${example}.`)
    .refine(isSafeForSecrets, "must be https, or http on this machine.")
    .default(example);

/** Secrets separated by commas. A single one is used as it is, with its blanks. */
const splitSecrets = (list: string): string[] =>
  list.includes(",") ? list.split(",").map((secret) => secret.trim()) : [list];

const Secret = z.string().min(32, "needs at least 32 characters for each secret");
const Secrets = z.tuple([Secret], Secret);

const Variables = z
  .object({
    SHOP_SHARDS: z.string().min(1),
    OPERATOR_TOKEN: z.string().min(16).optional(),
    SESSION_SECRET: z.string().min(32),
    WEBHOOK_SIGNING_SECRET: z.string().transform(splitSecrets).pipe(Secrets),
    ALLOW_LOCAL_WEBHOOKS: isTrue,
    CREDENTIALS_KEY: z
      .string()
      .transform((list, { addIssue }) => {
        const keys = parseCredentialsKeys(list);
        if (keys.type === "keys") return keys.keyring;
        addIssue({ code: "custom", message: keys.problem });
        return z.NEVER;
      })
      .optional(),
    PAYSTACK_SECRET_KEY: z.string().min(16).optional(),
    PAYSTACK_BASE_URL: providerOrigin("https://api.paystack.co"),
    STRIPE_BASE_URL: providerOrigin("https://api.stripe.com"),
    PAYSTACK_EMAIL_DOMAIN: z
      .string()
      .regex(/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/)
      .default("no-reply.example.com"),
    OPENEXCHANGERATES_APP_ID: z.string().min(1).optional(),
    PLACES_PROVIDER: z.enum(["google", "demo"]).optional(),
    GOOGLE_PLACES_API_KEY: z.string().min(1).optional(),
    PUBLIC_URL: z
      .string()
      .refine(isOrigin, "must be an origin, such as https://shop.example.com.")
      .optional(),
    CDN_URL: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    DNS_OVER_HTTPS_URL: z
      .string()
      .refine(isSafeForSecrets, "must be https, or http on this machine.")
      .default("https://cloudflare-dns.com/dns-query"),
    SMS_PROVIDER: z.enum(smsProviders).optional(),
    EMAIL_PROVIDER: z.enum(emailProviders).optional(),
    RESEND_WEBHOOK_SECRET: z.string().startsWith("whsec_").min(30).optional(),
    CONSOLE_TEST_CODES: isTrue,
    CODES_PER_HOUR_PER_ADDRESS: z.coerce.number().int().min(1).default(codesPerAddress),
    UPLOADS_PER_HOUR_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
    REQUESTS_PER_SECOND_PER_ADDRESS: z.coerce.number().int().min(1).default(20),
    REQUEST_LOG: z
      .enum(["on", "off"])
      .default("on")
      .transform((value) => value === "on"),
    METRICS_INTERVAL_SECONDS: z.coerce.number().min(0).max(20).default(10),
    UPSTASH_REDIS_REST_URL: z
      .string()
      .refine(isSafeForSecrets, "must be https, or http on this machine.")
      .optional(),
    UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  })
  .refine(
    ({ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }) =>
      (url === undefined) === (token === undefined),
    {
      path: ["UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN"],
      message: "must be set together.",
    },
  )
  .refine(
    ({ PLACES_PROVIDER, GOOGLE_PLACES_API_KEY }) =>
      PLACES_PROVIDER !== "google" || GOOGLE_PLACES_API_KEY !== undefined,
    { path: ["GOOGLE_PLACES_API_KEY"], message: "is required for PLACES_PROVIDER=google." },
  )
  .refine(
    ({ SMS_PROVIDER, EMAIL_PROVIDER, ALLOW_LOCAL_WEBHOOKS }) =>
      ALLOW_LOCAL_WEBHOOKS || (SMS_PROVIDER !== "console" && EMAIL_PROVIDER !== "console"),
    {
      path: ["SMS_PROVIDER or EMAIL_PROVIDER"],
      message:
        "console prints codes to the log; it is for development only, with ALLOW_LOCAL_WEBHOOKS=true.",
    },
  )
  .refine(
    ({ CONSOLE_TEST_CODES, ALLOW_LOCAL_WEBHOOKS }) => ALLOW_LOCAL_WEBHOOKS || !CONSOLE_TEST_CODES,
    {
      path: ["CONSOLE_TEST_CODES"],
      message:
        "lets everybody log in to the console; it is for development only, with ALLOW_LOCAL_WEBHOOKS=true.",
    },
  );

export type PaystackSettings = PaystackApi & Readonly<{ secretKey: string }>;

/** What is the same for every account at Paystack. */
export type PaystackApi = Readonly<{
  baseUrl: string;
  /**
   * Paystack requires a unique e-mail address for each payer. A payer without one gets an address
   * of this domain.
   */
  emailDomain: string;
}>;

export type PlacesSettings =
  | Readonly<{ provider: "demo" }>
  | Readonly<{ provider: "google"; apiKey: string }>;

export type Settings = Readonly<{
  /** The names of the shards' D1 bindings, separated by commas. */
  shopShards: string;
  /** The operator's token. Without a token there is no operator API. */
  operatorToken: string | undefined;
  /** Signs session cookies. */
  sessionSecret: string;
  /**
   * Derive the secrets of webhook subscriptions, which therefore need not be stored. The newest one
   * comes first.
   */
  webhookSigningSecrets: readonly [string, ...string[]];
  /** For development only: webhooks may be sent to loopback addresses. */
  allowLocalWebhooks: boolean;
  /** The deployment's account at Paystack, for the businesses that the operator lets use it. */
  paystack: PaystackSettings | null;
  paystackApi: PaystackApi;
  /** The origin of Stripe's API. */
  stripeBaseUrl: string;
  /**
   * Wrap the keys that encrypt businesses' credentials at payment providers, the newest one first.
   * Empty when businesses cannot connect accounts.
   */
  credentialsKeyring: Keyring;
  /** The Open Exchange Rates key, for businesses that choose that provider. */
  openExchangeRatesAppId: string | undefined;
  /** The provider of address search; null when there is none. */
  places: PlacesSettings | null;
  /** The public origin of this deployment, for links in messages; undefined when it has none. */
  publicUrl: string | undefined;
  /** The public base URL of assets; undefined when this service's `/cdn` is used. */
  cdnUrl: string | undefined;
  /** The resolver that reads the DNS records of businesses' domains. */
  dnsOverHttpsUrl: string;
  /** The providers that send one-time codes; undefined when there is none. */
  smsProvider: (typeof smsProviders)[number] | undefined;
  emailProvider: (typeof emailProviders)[number] | undefined;
  /** Verifies Resend's webhooks; undefined when the deployment takes none. */
  resendWebhookSecret: string | undefined;
  /** For development only: every code of the console is 123456, and none is sent. */
  consoleTestCodes: boolean;
  /**
   * The limit of one-time codes per hour and IP address. Each storefront counts separately, and so
   * does Link.
   */
  codesPerHourPerAddress: number;
  /** The limit of uploads per hour and IP address. Each storefront counts separately. */
  uploadsPerHourPerAddress: number;
  /** The limit of requests per second and IP address to the Link API and the business API. */
  requestsPerSecondPerAddress: number;
  /** Whether each request is logged. */
  logsRequests: boolean;
  /** How often an isolate hands over what it has counted, in milliseconds. 0 turns metrics off. */
  metricsIntervalMs: number;
  /** Upstash Redis for the rate-limit counters. Null when the counters are in Durable Objects. */
  redis: RedisSettings | null;
}>;

const settingsByEnv = new WeakMap<object, Settings>();

/**
 * The deployment's settings, parsed once per isolate. @throws Error that names the first missing or
 * invalid setting.
 */
export function settingsOf(env: object): Settings {
  const cached = settingsByEnv.get(env);
  if (cached) return cached;
  const result = Variables.safeParse(env);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`Setting ${issue?.path.join(".")}: ${issue?.message}. See .dev.vars.example.`);
  }
  const settings: Settings = {
    shopShards: result.data.SHOP_SHARDS,
    operatorToken: result.data.OPERATOR_TOKEN,
    sessionSecret: result.data.SESSION_SECRET,
    webhookSigningSecrets: result.data.WEBHOOK_SIGNING_SECRET,
    allowLocalWebhooks: result.data.ALLOW_LOCAL_WEBHOOKS,
    paystack: paystackSettings(result.data),
    paystackApi: paystackApi(result.data),
    stripeBaseUrl: result.data.STRIPE_BASE_URL,
    credentialsKeyring: result.data.CREDENTIALS_KEY ?? [],
    openExchangeRatesAppId: result.data.OPENEXCHANGERATES_APP_ID,
    places: placesSettings(result.data),
    publicUrl: result.data.PUBLIC_URL,
    cdnUrl: result.data.CDN_URL,
    dnsOverHttpsUrl: result.data.DNS_OVER_HTTPS_URL,
    smsProvider: result.data.SMS_PROVIDER,
    emailProvider: result.data.EMAIL_PROVIDER,
    resendWebhookSecret: result.data.RESEND_WEBHOOK_SECRET,
    consoleTestCodes: result.data.CONSOLE_TEST_CODES,
    codesPerHourPerAddress: result.data.CODES_PER_HOUR_PER_ADDRESS,
    uploadsPerHourPerAddress: result.data.UPLOADS_PER_HOUR_PER_ADDRESS,
    requestsPerSecondPerAddress: result.data.REQUESTS_PER_SECOND_PER_ADDRESS,
    logsRequests: result.data.REQUEST_LOG,
    metricsIntervalMs: result.data.METRICS_INTERVAL_SECONDS * second,
    redis: redisSettings(result.data),
  };
  settingsByEnv.set(env, settings);
  return settings;
}

function placesSettings({
  PLACES_PROVIDER: provider,
  GOOGLE_PLACES_API_KEY: apiKey,
}: z.infer<typeof Variables>): PlacesSettings | null {
  if (provider === "google" && apiKey !== undefined) return { provider, apiKey };
  return provider === "demo" ? { provider } : null;
}

function paystackSettings(variables: z.infer<typeof Variables>): PaystackSettings | null {
  const { PAYSTACK_SECRET_KEY: secretKey } = variables;
  return secretKey === undefined ? null : { secretKey, ...paystackApi(variables) };
}

const paystackApi = ({
  PAYSTACK_BASE_URL: baseUrl,
  PAYSTACK_EMAIL_DOMAIN: emailDomain,
}: z.infer<typeof Variables>): PaystackApi => ({ baseUrl, emailDomain });

function redisSettings({
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
}: z.infer<typeof Variables>): RedisSettings | null {
  return url === undefined || token === undefined ? null : { url, token };
}
