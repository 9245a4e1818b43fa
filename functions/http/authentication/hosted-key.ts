import { type ApiKey, type Business, parseKeyText } from "../../../shared/businesses/index.ts";
import { digestsEqual, hmacSha256 } from "../../../shared/kernel/index.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import type { Settings } from "../../runtime/settings.ts";

type SigningSettings = Pick<Settings, "sessionSecret">;

const keyForm = /^pk_(?:live|test)_hosted(?<business>[0-9a-z]{26})(?<signature>[0-9a-f]{32})$/;
const signatureLength = 32;

/**
 * The publishable key of a business's hosted shop. It is signed and not stored, because it has to be
 * shown again, to everybody (docs/contract/storefront.md#find-shop).
 */
export async function createHostedKey(
  settings: SigningSettings,
  { id, mode }: Pick<Business, "id" | "mode">,
): Promise<string> {
  const business = id.slice("biz_".length);
  return `pk_${mode}_hosted${business}${await sign(settings, business)}`;
}

/** The id of the business whose hosted key the text is; null for every other text. */
export async function parseHostedKey(
  settings: SigningSettings,
  text: string,
): Promise<string | null> {
  const { business = "", signature = "" } = keyForm.exec(text)?.groups ?? {};
  if (business === "" || !digestsEqual(signature, await sign(settings, business))) return null;
  return `biz_${business}`;
}

const recordPrefix = "key_hosted_";

export const isHostedKey = ({ id }: Pick<ApiKey, "id">): boolean => id.startsWith(recordPrefix);

/** The hosted key as the record of a key; it has no use, and ends with its business. */
export const hostedKeyRecord = (text: string, business: Business): ApiKey => ({
  id: `${recordPrefix}${business.id.slice("biz_".length)}`,
  kind: "publishable",
  mode: parseKeyText(text)?.mode ?? business.mode,
  owner: { type: "business", id: business.id },
  scopes: [],
  label: "Hosted shop",
  createdAt: business.createdAt,
  revokedAt: null,
  lastUsedAt: null,
});

const sign = async (settings: SigningSettings, business: string): Promise<string> =>
  (await hmacSha256(await deriveSecret(settings, "hosted keys"), business)).slice(
    0,
    signatureLength,
  );
