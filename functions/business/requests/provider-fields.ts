import { z } from "@hono/zod-openapi";
import type { ProviderCredentials, ProviderName } from "../../../shared/businesses/index.ts";
import { type FieldIssue, invalidFields } from "../../../shared/kernel/index.ts";

const secret = () => z.string().min(1).max(300);

/** The keys of an account; which ones a provider takes is checked by `toCredentials`. */
export const CredentialsFields = z
  .object({
    secret_key: secret().openapi({ example: "sk_test_example" }),
    webhook_secret: secret().optional().openapi({ description: "For stripe alone." }),
    publishable_key: secret().optional().openapi({ description: "For stripe alone." }),
  })
  .openapi("ProviderCredentials");
type CredentialsFields = z.infer<typeof CredentialsFields>;

type Field = keyof CredentialsFields;

/** The form of each key of a provider. */
const formats: Readonly<Record<ProviderName, Readonly<Partial<Record<Field, RegExp>>>>> = {
  paystack: { secret_key: /^sk_(?:live|test)_[A-Za-z0-9_]{8,}$/ },
  stripe: {
    secret_key: /^[sr]k_(?:live|test)_[A-Za-z0-9_]{8,}$/,
    webhook_secret: /^whsec_[A-Za-z0-9+/=_-]{8,}$/,
    publishable_key: /^pk_(?:live|test)_[A-Za-z0-9_]{8,}$/,
  },
};

const examples: Readonly<Record<Field, string>> = {
  secret_key: "sk_live_…",
  webhook_secret: "whsec_…",
  publishable_key: "pk_live_…",
};

/** The credentials of a provider. @throws Refusal VALIDATION_ERROR, which repeats no value. */
export function toCredentials(
  provider: ProviderName,
  fields: CredentialsFields,
): ProviderCredentials {
  const issues = (["secret_key", "webhook_secret", "publishable_key"] as const).flatMap(
    (field): FieldIssue[] => {
      const format = formats[provider][field];
      const value = fields[field];
      if (!format) {
        return value === undefined ? [] : [{ field, message: `is not taken by ${provider}` }];
      }
      if (value !== undefined && format.test(value)) return [];
      return [{ field, message: `must be a key of ${provider} such as ${examples[field]}` }];
    },
  );
  if (issues.length > 0) throw invalidFields(issues);
  return {
    secretKey: fields.secret_key,
    webhookSecret: fields.webhook_secret ?? null,
    publishableKey: fields.publishable_key ?? null,
  };
}
