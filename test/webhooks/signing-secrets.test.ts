import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createBackground } from "../../functions/background/context.ts";
import { nameOldSigningSecrets } from "../../functions/background/jobs/housekeeping.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { OutgoingWebhook } from "../../shared/webhooks/index.ts";
import { withBindings } from "../support/bindings.ts";
import { dataOf } from "../support/world.ts";
import { loadSubscription, updateSubscription } from "./create-webhooks.ts";
import { createShopWithWebhook, deliverEvents } from "./webhook-owner.ts";

const earlier = env.WEBHOOK_SIGNING_SECRET;
const newer = "the-next-webhook-secret-for-tests-0123456789";

type SigningSecrets = readonly [string, ...string[]];
type WebhookOwner = Awaited<ReturnType<typeof createShopWithWebhook>>;

/** Delivers an event of a deployment with these signing secrets. */
async function deliverWith(owner: WebhookOwner, signingSecrets: SigningSecrets) {
  const webhooks = { ...owner.ctx.webhooks, signingSecrets };
  const [webhook] = await deliverEvents({ ...owner, ctx: { ...owner.ctx, webhooks } });
  if (!webhook) throw new Error("nothing was received");
  return webhook;
}

/** Calls the API of a deployment with these signing secrets. */
const askWith =
  ({ ask }: WebhookOwner, signingSecrets: SigningSecrets) =>
  (method: string, path: string) =>
    ask(method, path, {
      fetch: withBindings({ WEBHOOK_SIGNING_SECRET: signingSecrets.join(",") }),
    });

async function rotateWith(owner: WebhookOwner, signingSecrets: SigningSecrets): Promise<string> {
  const path = `/webhooks/${owner.id}/rotate-secret`;
  const rotated = dataOf(await askWith(owner, signingSecrets)("POST", path));
  expect(rotated.secret_outdated).toBe(false);
  return rotated.secret;
}

const isOutdatedWith = async (owner: WebhookOwner, signingSecrets: SigningSecrets) =>
  dataOf(await askWith(owner, signingSecrets)("GET", "/webhooks"))[0].secret_outdated;

/** Which of the two signatures a receiver can verify that knows only this secret. */
function verifiedWith(secret: string, { body, headers }: OutgoingWebhook) {
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  return { header: headers["X-Service-Signature"] === hex, standard: isSignedWith(secret) };

  function isSignedWith(key: string): boolean {
    try {
      new Webhook(key).verify(body, { ...headers });
      return true;
    } catch {
      return false;
    }
  }
}

const both = { header: true, standard: true };
const neither = { header: false, standard: false };

describe("a new signing secret of the deployment", () => {
  it("changes nothing for receivers until their secret is rotated or the earlier one removed", async () => {
    const owner = await createShopWithWebhook();
    expect(await isOutdatedWith(owner, [earlier])).toBe(false);
    expect(await isOutdatedWith(owner, [newer, earlier])).toBe(true);
    const overlap = await deliverWith(owner, [newer, earlier]);
    expect(verifiedWith(owner.secret, overlap)).toEqual(both);

    const removed = await deliverWith(owner, [newer]);
    expect(verifiedWith(owner.secret, removed)).toEqual(neither);
    expect(await isOutdatedWith(owner, [newer])).toBe(true);
    const secret = await rotateWith(owner, [newer]);
    expect(await isOutdatedWith(owner, [newer])).toBe(false);
    expect(verifiedWith(secret, await deliverWith(owner, [newer]))).toEqual(both);
  });

  it("signs rotated secrets, beside the earlier one's as long as that is configured", async () => {
    const owner = await createShopWithWebhook();
    const secret = await rotateWith(owner, [newer, earlier]);
    expect(await isOutdatedWith(owner, [newer, earlier])).toBe(false);
    const overlap = await deliverWith(owner, [newer, earlier]);
    expect(verifiedWith(secret, overlap)).toEqual(both);
    expect(verifiedWith(owner.secret, overlap)).toEqual({ header: false, standard: true });

    const removed = await deliverWith(owner, [newer]);
    expect(verifiedWith(secret, removed)).toEqual(both);
    expect(verifiedWith(owner.secret, removed)).toEqual(neither);
  });

  it("can be followed by another one before the first is removed", async () => {
    const owner = await createShopWithWebhook();
    const newest = "the-newest-webhook-secret-for-tests-0123456789";
    const second = await rotateWith(owner, [newer, earlier]);
    const all = [newest, newer, earlier] as const;
    expect(await isOutdatedWith(owner, all)).toBe(true);
    const third = await rotateWith(owner, all);
    const webhook = await deliverWith(owner, all);
    expect([owner.secret, second, third].map((key) => verifiedWith(key, webhook))).toEqual([
      { header: false, standard: true },
      { header: false, standard: true },
      both,
    ]);
  });

  it("counts webhooks from before it was recorded as those of the earliest one", async () => {
    const owner = await createShopWithWebhook();
    const { signingSecretId } = await loadSubscription(owner.ctx, owner.id);
    await updateSubscription(owner.ctx, owner.id, { signingSecretId: null });
    const webhook = await deliverWith(owner, [newer, earlier]);
    expect(verifiedWith(owner.secret, webhook)).toEqual(both);
    expect(await isOutdatedWith(owner, [newer, earlier])).toBe(true);

    const bindings = { ...env, WEBHOOK_SIGNING_SECRET: `${newer},${earlier}` };
    await nameOldSigningSecrets(createBackground(bindings), owner.shop.business.shard);
    expect(await loadSubscription(owner.ctx, owner.id)).toMatchObject({ signingSecretId });
    expect(await isOutdatedWith(owner, [newer])).toBe(true);
  });
});

describe("WEBHOOK_SIGNING_SECRET", () => {
  const parse = (value: string) =>
    settingsOf({ ...env, WEBHOOK_SIGNING_SECRET: value }).webhookSigningSecrets;

  it("is one secret or several, separated by commas", () => {
    expect(parse(` ${earlier}`)).toEqual([` ${earlier}`]);
    expect(parse(`${newer}, ${earlier}`)).toEqual([newer, earlier]);
  });

  it.each(["short", `${earlier},short`, `${earlier},`, ""])(
    "is refused when a secret is too short: %s",
    (value) => {
      expect(() => parse(value)).toThrow(/WEBHOOK_SIGNING_SECRET.*32 characters/);
    },
  );
});
