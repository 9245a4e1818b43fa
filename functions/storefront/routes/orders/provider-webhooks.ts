import { z } from "@hono/zod-openapi";
import {
  type Business,
  businessRepo,
  type ProviderAccount,
  type ProviderName,
  providerNames,
  UnreadableCredentials,
} from "../../../../shared/businesses/index.ts";
import { type Db, openDb, shardsOf, shopOf } from "../../../../shared/database/index.ts";
import { notFound, unavailable } from "../../../../shared/kernel/index.ts";
import { orderRepo, recordDispute, tryVerifyPayment } from "../../../../shared/orders/index.ts";
import {
  findPaymentByReference,
  ownAccountName,
  parsePaystackWebhook,
  type StripeDispute,
} from "../../../../shared/payments/index.ts";
import { createRoutes } from "../../../http/app.ts";
import type { CustomAccess } from "../../../http/authentication/access.ts";
import { acceptJsonBody } from "../../../http/bodies.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { unauthorized } from "../../../http/errors.ts";
import { log } from "../../../runtime/log.ts";
import { openAccount } from "../../../runtime/providers/account-providers.ts";
import { type ProviderWebhook, providerKindOf } from "../../../runtime/providers/provider-kinds.ts";
import { id } from "../../../wire/fields.ts";
import type { StorefrontBindings } from "../../env.ts";
import { createOrderContextFor } from "../../order-context.ts";

const providerParam = id().openapi({ description: "`stripe` or `paystack`." });

const platformPath = "/payments/providers/paystack/webhook";

const signedAccess: CustomAccess = {
  kind: "custom",
  security: [{ paystackSignature: [] }],
  // Responses are not stored, because processing a webhook twice changes nothing.
  responseStore: null,
  check: (_, next) => next(),
};

const documented = {
  tag: "Payments",
  access: signedAccess,
  body: requireJson(
    z.object({
      event: z.string().openapi({ example: "charge.success" }),
      data: z
        .object({ reference: z.string().optional(), transaction_reference: z.string().optional() })
        .openapi({
          description: "The reference of the charge, or of the refunded charge.",
        }),
    }),
  ),
  response: z.null(),
} as const;

/**
 * Providers' webhooks take no API key but a signature of the raw bytes. They are documented without
 * validation and any signed body is accepted, because a provider would retry a rejected one for days.
 */
export const providerWebhooks = createRoutes<StorefrontBindings>();

/** Each provider signs in its own way. */
const accountAccess: CustomAccess = {
  ...signedAccess,
  security: [{ paystackSignature: [] }, { stripeSignature: [] }],
};

const { middleware: _, ...platformRoute } = route("post", platformPath, {
  operationId: "receivePaystackWebhook",
  summary: "Receive a Paystack webhook, after which the payment is verified with Paystack",
  ...documented,
});
const { middleware: __, ...accountRoute } = route(
  "post",
  "/payments/providers/{provider}/webhook/{business_id}",
  {
    operationId: "receiveProviderWebhook",
    summary: "Receive a webhook of a business's own account at a payment provider",
    params: z.object({ provider: providerParam, business_id: id() }),
    ...documented,
    access: accountAccess,
    body: requireJson(
      z.object({
        event: z.string().optional().openapi({ example: "charge.success" }),
        type: z.string().optional().openapi({ description: "The event of Stripe." }),
        data: z
          .object({
            reference: z.string().optional(),
            transaction_reference: z.string().optional(),
            object: z.object({ id: z.string() }).optional(),
          })
          .openapi({ description: "The charge, refund or dispute, by Paystack or by Stripe." }),
      }),
    ),
  },
);
providerWebhooks.openAPIRegistry.registerPath(platformRoute);
providerWebhooks.openAPIRegistry.registerPath(accountRoute);

providerWebhooks.post(platformPath, acceptJsonBody, async (c) => {
  const { paystack } = c.get("settings");
  if (!paystack) throw notFound("call");
  const signature = c.req.header("x-paystack-signature") ?? "";
  const { secretKey } = paystack;
  const webhook = await parsePaystackWebhook(await c.req.arrayBuffer(), { signature, secretKey });
  if (webhook === null) throw wrongSignature();
  const shards = Object.values(shardsOf(c.env, c.get("settings").shopShards));
  await processWebhook(c, webhook, {
    ...{ provider: "paystack", account: "paystack", business: null, findDispute: null },
    shards: shards.map((shard) => openDb(shard, c.get("meter"))),
  });
  return c.json(envelope(null), 200);
});

providerWebhooks.post(
  "/payments/providers/:provider/webhook/:business_id",
  acceptJsonBody,
  async (c) => {
    const { provider: text, business_id: businessId } = c.req.param();
    const provider = providerNames.find((name) => name === text);
    const kind = provider && providerKindOf(provider, c.get("settings"));
    const business = kind && (await findBusiness(c, businessId));
    const account = business?.providerAccounts.find((one) => one.provider === provider);
    if (!kind || !business || !account) throw notFound("webhook");
    const credentials = await requireCredentials(c, business.id, account);
    const body = await c.req.arrayBuffer();
    const webhook = await kind.parseWebhook({ body, headers: c.req.raw.headers }, credentials);
    if (webhook === null) throw wrongSignature();
    const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), business);
    await processWebhook(c, webhook, {
      provider: account.provider,
      account: ownAccountName(account.provider),
      business,
      shards: [openDb(shop, c.get("meter"))],
      findDispute:
        kind.createDisputes?.(credentials, {
          report: (failure) =>
            log("warn", "payment provider call failed", { provider: account.provider, ...failure }),
        }) ?? null,
    });
    return c.json(envelope(null), 200);
  },
);

/** @throws Refusal SERVICE_UNAVAILABLE, so that the provider sends the webhook again. */
async function requireCredentials(c: RequestContext, businessId: string, account: ProviderAccount) {
  try {
    return await openAccount(businessId, account, c.get("settings"));
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) throw error;
    const { provider } = account;
    const facts = { provider, business: businessId, problem: error.message };
    log("error", "payment credentials unreadable", facts);
    throw unavailable("The signature cannot be checked at the moment. Send the webhook again.");
  }
}

const wrongSignature = () => unauthorized("The signature is missing or wrong.");

/** The account that sent a webhook, and where its payments may be. */
type WebhookAccount = Readonly<{
  provider: ProviderName;
  /** The name under which payments store the account. */
  account: string;
  /** Null for the deployment's account, which takes payments of many businesses. */
  business: Business | null;
  shards: readonly Db[];
  /** Asks the provider for a dispute as it is now; null for one that reports none. */
  findDispute: ((id: string) => Promise<StripeDispute | null | "no_answer">) | null;
}>;

/** The webhook only triggers what happens here, and its amounts and statuses are ignored. */
function processWebhook(
  c: RequestContext,
  webhook: ProviderWebhook,
  account: WebhookAccount,
): Promise<void> {
  switch (webhook.type) {
    case "dispute":
      return updateDispute(c, webhook, account);
    case "charge":
    case "refund":
      return verifyReported(c, webhook, account);
    case "other":
      return Promise.resolve();
  }
}

type ReportedPayment = Extract<ProviderWebhook, { type: "charge" | "refund" }>;

/** Verifies the payment with its provider. */
async function verifyReported(
  c: RequestContext,
  { type, event, reference, providerReference }: ReportedPayment,
  account: WebhookAccount,
): Promise<void> {
  const { provider } = account;
  const owner = await findPaymentOwner(account, { event, reference });
  if (owner === null) return;
  if (type === "refund") {
    // The job `settle-refunds` updates the refund. This line only logs when the provider reported it.
    log("info", "payment provider webhook", { provider, event, order: owner.orderId });
    return;
  }
  const ctx = await createWebhookContext(c, account, owner.businessId);
  if (ctx === null) return;
  const details = await orderRepo(ctx).get(owner.orderId);
  const verified = await tryVerifyPayment(ctx, details, { reference, providerReference });
  // Any status other than 200 makes the provider retry.
  if (verified === "no_answer")
    throw unavailable(`${provider} did not respond with the payment's status.`);
}

type ReportedDispute = Extract<ProviderWebhook, { type: "dispute" }>;

/** Stores a dispute as its provider reports it now. Only the provider tells which charge it is about. */
async function updateDispute(
  c: RequestContext,
  { event, disputeId }: ReportedDispute,
  account: WebhookAccount,
): Promise<void> {
  const { provider, findDispute } = account;
  if (findDispute === null) return;
  const found = await findDispute(disputeId);
  if (found === "no_answer") throw unavailable(`${provider} did not respond with the dispute.`);
  if (found === null) return;
  const owner = await findPaymentOwner(account, { event, reference: found.reference });
  const ctx = owner && (await createWebhookContext(c, account, owner.businessId));
  if (!owner || !ctx) return;
  await recordDispute(ctx, owner.orderId, async () => {
    const current = await findDispute(disputeId);
    return current === null || current === "no_answer" ? current : current.dispute;
  });
}

async function createWebhookContext(
  c: RequestContext,
  { provider, business }: WebhookAccount,
  businessId: string,
) {
  const paid = business ?? (await findBusiness(c, businessId));
  return (
    paid && createOrderContextFor(c, { business: paid, actor: { type: "system", job: provider } })
  );
}

/**
 * Finds the order of a payment. A reference does not contain its business, so shards are searched.
 * Null for a payment of another account, because a retry would not change that.
 */
async function findPaymentOwner(
  { shards, provider, account, business }: WebhookAccount,
  { event, reference }: Readonly<{ event: string; reference: string }>,
) {
  const owners = await Promise.all(shards.map((shard) => findPaymentByReference(shard, reference)));
  const owner = owners.find((one) => one !== null) ?? null;
  const isOwn = business === null || owner?.businessId === business.id;
  if (owner?.provider === account && isOwn) return owner;
  const facts = { provider, business: business?.id ?? null, event, reference };
  log("info", "webhook of an unknown payment", facts);
  return null;
}

const findBusiness = (c: RequestContext, businessId: string) =>
  businessRepo(openDb(c.env.CORE, c.get("meter"))).find(businessId);
