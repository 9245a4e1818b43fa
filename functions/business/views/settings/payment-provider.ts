import { z } from "@hono/zod-openapi";
import {
  accountStatuses,
  type ProviderAccount,
  paymentMethods,
  providerNames,
} from "../../../../shared/businesses/index.ts";
import { iso } from "../../../../shared/kernel/index.ts";

export const PaymentProviderView = z
  .object({
    provider: z.enum(providerNames),
    mode: z.enum(["live", "test"]),
    status: z.enum(accountStatuses),
    methods: z.array(z.enum(paymentMethods)),
    currencies: z.array(z.string()),
    key_hint: z.string().openapi({ description: "The last four characters of the secret key." }),
    webhook_url: z.string().openapi({ description: "Where the provider sends its webhooks." }),
    connected_at: z.string(),
    last_error: z.string().nullable(),
  })
  .openapi("PaymentProvider");

type WebhookAddress = Readonly<{ businessId: string; origin: string }>;

/** The account without its credentials. */
export const viewPaymentProvider = (
  account: ProviderAccount,
  { businessId, origin }: WebhookAddress,
): z.infer<typeof PaymentProviderView> => ({
  provider: account.provider,
  mode: account.mode,
  status: account.status,
  methods: [...account.methods],
  currencies: [...account.currencies],
  key_hint: account.keyHint,
  webhook_url: `${origin}/api/v1/payments/providers/${account.provider}/webhook/${businessId}`,
  connected_at: iso(account.connectedAt),
  last_error: account.lastError,
});
