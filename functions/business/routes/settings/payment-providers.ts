import { z } from "@hono/zod-openapi";
import {
  connectProviderAccount,
  disconnectProviderAccount,
  type MerchantContext,
  type ProviderAccount,
  type ProviderName,
  providerAccountRepo,
  providerNames,
  purgeProviderAccount,
} from "../../../../shared/businesses/index.ts";
import { notFound } from "../../../../shared/kernel/index.ts";
import { countPendingRefunds, ownAccountName } from "../../../../shared/payments/index.ts";
import { reconciliationRepo } from "../../../../shared/reconciliation/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator, secretKey } from "../../../http/authentication/access.ts";
import type { RequestContext } from "../../../http/context.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { storeByApiKeyInCore } from "../../../http/idempotency/idempotency.ts";
import { ledgerAccountName } from "../../../runtime/providers/ledger-accounts.ts";
import { providerKindOf } from "../../../runtime/providers/provider-kinds.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext, createOperatorContextOf } from "../../context.ts";
import { CredentialsFields, toCredentials } from "../../requests/provider-fields.ts";
import { PaymentProviderView, viewPaymentProvider } from "../../views/settings/payment-provider.ts";

const path = "/v1/businesses/{business_id}/payment-providers";
const params = z.object({ business_id: id() });
const provider = id().openapi({ description: "`stripe` or `paystack`." });
const oneParams = params.extend({ provider });

// Each repeat does the same, and the data key is stored before the account.
const idempotency = { store: storeByApiKeyInCore, resumable: true } as const;

/** @throws Refusal NOT_FOUND. */
function requireProviderName(text: string): ProviderName {
  const name = providerNames.find((one) => one === text);
  if (!name) throw notFound("payment provider");
  return name;
}

const view = (c: RequestContext, { business }: MerchantContext, account: ProviderAccount) =>
  viewPaymentProvider(account, { businessId: business.id, origin: new URL(c.req.url).origin });

/** A business's accounts at payment providers (docs/contract/business.md#payment-providers). */
export const paymentProviders = createRoutes()
  .openapi(
    route("get", path, {
      operationId: "listPaymentProviders",
      tag: "Payment providers",
      summary: "List the connected accounts, without their keys",
      access: secretKey("payments:read"),
      params,
      response: z.array(PaymentProviderView),
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const accounts = await providerAccountRepo(ctx.core, ctx.business.id).list();
      return c.json(envelope(accounts.map((account) => view(c, ctx, account))), 200);
    },
  )
  .openapi(
    route("put", `${path}/{provider}`, {
      operationId: "connectPaymentProvider",
      tag: "Payment providers",
      summary: "Connect an account, or replace its keys",
      description: "The provider is asked about the keys before they are stored.",
      access: secretKey("providers:write"),
      rules: ["CREDENTIALS_REFUSED"],
      params: oneParams,
      body: requireJson(CredentialsFields),
      response: PaymentProviderView,
      idempotency,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const settings = c.get("settings");
      const name = requireProviderName(c.req.valid("param").provider);
      const kind = providerKindOf(name, settings);
      if (!kind) throw notFound("payment provider");
      const credentials = toCredentials(name, c.req.valid("json"));
      const account = await connectProviderAccount(ctx, {
        provider: name,
        credentials,
        checkAccount: () => kind.checkAccount(credentials),
        keyring: settings.credentialsKeyring,
        writes: (account) => [
          reconciliationRepo(ctx.core).add(
            { account: ledgerAccountName(ctx.business.id, account), businessId: ctx.business.id },
            account.connectedAt,
          ),
        ],
      });
      return c.json(envelope(view(c, ctx, account)), 200);
    },
  )
  .openapi(
    route("delete", `${path}/{provider}`, {
      operationId: "disconnectPaymentProvider",
      tag: "Payment providers",
      summary: "Disconnect an account",
      description: "It takes no new payments. Refunds and renewals of its payments go on.",
      access: secretKey("providers:write"),
      params: oneParams,
      response: PaymentProviderView,
      idempotency,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const name = requireProviderName(c.req.valid("param").provider);
      const account = await disconnectProviderAccount(ctx, name);
      return c.json(envelope(view(c, ctx, account)), 200);
    },
  )
  .openapi(
    route("post", `${path}/{provider}/purge`, {
      operationId: "purgePaymentProvider",
      tag: "Businesses",
      summary: "Delete the keys of a disconnected account",
      description: "Its payments can then be neither verified nor refunded nor renewed here.",
      access: operator,
      rules: ["INVALID_STATE"],
      params: oneParams,
      response: PaymentProviderView,
    }),
    async (c) => {
      const { business_id: businessId, provider } = c.req.valid("param");
      const name = requireProviderName(provider);
      const ctx = await createOperatorContextOf(c, businessId);
      const account = await purgeProviderAccount(ctx, {
        provider: name,
        countOpenRefunds: () => countPendingRefunds(ctx, ownAccountName(name)),
      });
      return c.json(envelope(view(c, ctx, account)), 200);
    },
  );
