import { z } from "@hono/zod-openapi";
import { codesPerAddress } from "../../shared/one-time-codes/index.ts";
import type { RedisSettings } from "../http/rate-limits/redis-counters.ts";

const isTrue = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");

const smsProviders = ["console", "twilio", "africas_talking"] as const;
const emailProviders = ["console", "resend"] as const;

/** Whether a secret may travel there: over https, or to a stand-in on this machine. */
function isSafeForSecrets(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}

const Variables = z
  .object({
    SHOP_SHARDS: z.string().min(1),
    OPERATOR_TOKEN: z.string().min(16).optional(),
    SESSION_SECRET: z.string().min(32),
    WEBHOOK_SIGNING_SECRET: z.string().min(32),
    ALLOW_LOCAL_WEBHOOKS: isTrue,
    PAYSTACK_SECRET_KEY: z.string().min(16).optional(),
    PAYSTACK_BASE_URL: z
      .string()
      .refine(isSafeForSecrets, "must be https, or http on this machine")
      .transform((url) => url.replace(/\/+$/, ""))
      .default("https://api.paystack.co"),
    PAYSTACK_EMAIL_DOMAIN: z
      .string()
      .regex(/^(?:[a-z0-9-]+\.)+[a-z]{2,}$/)
      .default("no-reply.example.com"),
    OPENEXCHANGERATES_APP_ID: z.string().min(1).optional(),
    PLACES_PROVIDER: z.enum(["google", "demo"]).optional(),
    GOOGLE_PLACES_API_KEY: z.string().min(1).optional(),
    CDN_URL: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    SMS_PROVIDER: z.enum(smsProviders).optional(),
    EMAIL_PROVIDER: z.enum(emailProviders).optional(),
    CODES_PER_HOUR_PER_ADDRESS: z.coerce.number().int().min(1).default(codesPerAddress),
    UPLOADS_PER_HOUR_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
    REQUESTS_PER_SECOND_PER_ADDRESS: z.coerce.number().int().min(1).default(20),
    REQUEST_LOG: z
      .enum(["on", "off"])
      .default("on")
      .transform((value) => value === "on"),
    UPSTASH_REDIS_REST_URL: z
      .string()
      .refine(isSafeForSecrets, "must be https, or http on this machine")
      .optional(),
    UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  })
  .refine(
    ({ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }) =>
      (url === undefined) === (token === undefined),
    {
      path: ["UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN"],
      message: "come together, or not at all",
    },
  )
  .refine(
    ({ PLACES_PROVIDER, GOOGLE_PLACES_API_KEY }) =>
      PLACES_PROVIDER !== "google" || GOOGLE_PLACES_API_KEY !== undefined,
    { path: ["GOOGLE_PLACES_API_KEY"], message: "is needed for PLACES_PROVIDER=google" },
  )
  .refine(
    ({ SMS_PROVIDER, EMAIL_PROVIDER, ALLOW_LOCAL_WEBHOOKS }) =>
      ALLOW_LOCAL_WEBHOOKS || (SMS_PROVIDER !== "console" && EMAIL_PROVIDER !== "console"),
    {
      path: ["SMS_PROVIDER or EMAIL_PROVIDER"],
      message:
        "console tells codes in the logs: it is for development alone, beside ALLOW_LOCAL_WEBHOOKS",
    },
  );

export type PaystackSettings = Readonly<{
  secretKey: string;
  baseUrl: string;
  /** Of the addresses that payers without one get, since Paystack wants one of each. */
  emailDomain: string;
}>;

export type PlacesSettings =
  | Readonly<{ provider: "demo" }>
  | Readonly<{ provider: "google"; apiKey: string }>;

export type Settings = Readonly<{
  /** Names of the D1 bindings that hold shops, comma-separated. */
  shopShards: string;
  /** Unset: the operator's calls are not there. */
  operatorToken: string | undefined;
  /** Signs session cookies. */
  sessionSecret: string;
  /** Webhook secrets are derived from it and stored nowhere. */
  webhookSigningSecret: string;
  /** Development alone: webhooks may go to loopback addresses. */
  allowLocalWebhooks: boolean;
  /** Null: live businesses take no cards and no mobile money. */
  paystack: PaystackSettings | null;
  /** The key of a provider of exchange rates, for the businesses that choose it. */
  openExchangeRatesAppId: string | undefined;
  /** Who knows addresses; null where nobody does (completions.md 11). */
  places: PlacesSettings | null;
  /** The public content address, when it is not this service's own `/cdn`. */
  cdnUrl: string | undefined;
  /** Who brings one-time codes to their owners; undefined where nobody does. */
  smsProvider: (typeof smsProviders)[number] | undefined;
  emailProvider: (typeof emailProviders)[number] | undefined;
  /** One-time codes that one address may ask of a storefront, or of Link (completions.md 3). */
  codesPerHourPerAddress: number;
  /** Places for files that one address may ask of a storefront: what it stores there costs money. */
  uploadsPerHourPerAddress: number;
  /** Of the Link and business surfaces (completions.md 15). */
  requestsPerSecondPerAddress: number;
  /** Whether each request leaves a line in the log. */
  logsRequests: boolean;
  /** Upstash Redis, where the rate limits' counters are kept; null: in objects. */
  redis: RedisSettings | null;
}>;

const parsed = new WeakMap<object, Settings>();

/** The deployment's settings, parsed once an isolate; a missing one is one clear line. */
export function settingsOf(env: object): Settings {
  const known = parsed.get(env);
  if (known) return known;
  const result = Variables.safeParse(env);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`Setting ${issue?.path.join(".")}: ${issue?.message}. See .dev.vars.example.`);
  }
  const settings: Settings = {
    shopShards: result.data.SHOP_SHARDS,
    operatorToken: result.data.OPERATOR_TOKEN,
    sessionSecret: result.data.SESSION_SECRET,
    webhookSigningSecret: result.data.WEBHOOK_SIGNING_SECRET,
    allowLocalWebhooks: result.data.ALLOW_LOCAL_WEBHOOKS,
    paystack: paystackOf(result.data),
    openExchangeRatesAppId: result.data.OPENEXCHANGERATES_APP_ID,
    places: placesOf(result.data),
    cdnUrl: result.data.CDN_URL,
    smsProvider: result.data.SMS_PROVIDER,
    emailProvider: result.data.EMAIL_PROVIDER,
    codesPerHourPerAddress: result.data.CODES_PER_HOUR_PER_ADDRESS,
    uploadsPerHourPerAddress: result.data.UPLOADS_PER_HOUR_PER_ADDRESS,
    requestsPerSecondPerAddress: result.data.REQUESTS_PER_SECOND_PER_ADDRESS,
    logsRequests: result.data.REQUEST_LOG,
    redis: redisOf(result.data),
  };
  parsed.set(env, settings);
  return settings;
}

function placesOf({
  PLACES_PROVIDER: provider,
  GOOGLE_PLACES_API_KEY: apiKey,
}: z.infer<typeof Variables>): PlacesSettings | null {
  if (provider === "google" && apiKey !== undefined) return { provider, apiKey };
  return provider === "demo" ? { provider } : null;
}

function paystackOf({
  PAYSTACK_SECRET_KEY: secretKey,
  PAYSTACK_BASE_URL: baseUrl,
  PAYSTACK_EMAIL_DOMAIN: emailDomain,
}: z.infer<typeof Variables>): PaystackSettings | null {
  return secretKey === undefined ? null : { secretKey, baseUrl, emailDomain };
}

function redisOf({
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
}: z.infer<typeof Variables>): RedisSettings | null {
  return url === undefined || token === undefined ? null : { url, token };
}
