import { z } from "@hono/zod-openapi";

const isTrue = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");

const Variables = z.object({
  SHOP_SHARDS: z.string().min(1),
  OPERATOR_TOKEN: z.string().min(16).optional(),
  SESSION_SECRET: z.string().min(32),
  WEBHOOK_SIGNING_SECRET: z.string().min(32),
  ALLOW_LOCAL_WEBHOOKS: isTrue,
  REQUESTS_PER_SECOND_PER_ADDRESS: z.coerce.number().int().min(1).default(20),
});

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
  /** Of the Link and business surfaces (completions.md 15). */
  requestsPerSecondPerAddress: number;
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
    requestsPerSecondPerAddress: result.data.REQUESTS_PER_SECOND_PER_ADDRESS,
  };
  parsed.set(env, settings);
  return settings;
}
