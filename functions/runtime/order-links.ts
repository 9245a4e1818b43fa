import { day, digestsEqual, hmacSha256 } from "../../shared/kernel/index.ts";
import { deriveSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** The order that a link opens, and until when. */
export type OrderLink = Readonly<{ businessId: string; orderId: string; expiresAt: number }>;

type SigningSettings = Pick<Settings, "sessionSecret">;
type LinkPurpose = "payment links" | "order links";

const tokenForm =
  /^(?<business>[0-9a-z]{1,40})-(?<order>[0-9a-z]{1,40})-(?<expiry>[0-9a-z]{1,10})-[0-9a-f]{32}$/;
/** 128 bits in hex, which nobody guesses online. */
const signatureLength = 32;
/** How long the link of a message opens its order. */
const orderLinkTtlMs = 180 * day;

/**
 * The token of a payment link: the ids, the expiry and their signature. Nothing is stored, so a
 * copy of the database opens no link.
 */
export const createPaymentLinkToken = (
  settings: SigningSettings,
  link: OrderLink,
): Promise<string> => createToken(settings, "payment links", link);

/** What a token was signed for, also when it has expired; null for a malformed or forged one. */
export const parsePaymentLinkToken = (
  settings: SigningSettings,
  token: string,
): Promise<OrderLink | null> => parseToken(settings, "payment links", token);

/**
 * The path of an order's page for messages, whose senders do not know the order's bill token. The
 * token opens what a bill token opens (docs/contract/storefront.md#order-link).
 */
export async function createOrderPath(
  settings: SigningSettings,
  {
    businessId,
    orderId,
    now,
  }: Pick<OrderLink, "businessId" | "orderId"> & Readonly<{ now: number }>,
): Promise<string> {
  const link = { businessId, orderId, expiresAt: now + orderLinkTtlMs };
  return `/orders/${orderId}?token=${await createToken(settings, "order links", link)}`;
}

/**
 * The URL of the order's page for the platform whose agent placed it. Without PUBLIC_URL it has the
 * origin at which the agent bought.
 */
export const createAgentOrderUrl = async (
  settings: SigningSettings & Pick<Settings, "publicUrl">,
  {
    businessAddress,
    ...link
  }: Pick<OrderLink, "businessId" | "orderId"> & Readonly<{ businessAddress: string; now: number }>,
): Promise<string> =>
  `${settings.publicUrl ?? new URL(businessAddress).origin}${await createOrderPath(settings, link)}`;

/** What the token of an order's page was signed for; null for one that is forged or another token. */
export const parseOrderLinkToken = (
  settings: SigningSettings,
  token: string,
): Promise<OrderLink | null> => parseToken(settings, "order links", token);

async function createToken(
  settings: SigningSettings,
  purpose: LinkPurpose,
  { businessId, orderId, expiresAt }: OrderLink,
): Promise<string> {
  const expiry = expiresAt.toString(36);
  const content = [businessId.slice("biz_".length), orderId.slice("ord_".length), expiry].join("-");
  return `${content}-${await sign(settings, purpose, content)}`;
}

async function parseToken(
  settings: SigningSettings,
  purpose: LinkPurpose,
  token: string,
): Promise<OrderLink | null> {
  const parts = tokenForm.exec(token)?.groups;
  if (!parts) return null;
  const content = token.slice(0, -signatureLength - 1);
  const signature = await sign(settings, purpose, content);
  if (!digestsEqual(token.slice(-signatureLength), signature)) return null;
  return {
    businessId: `biz_${parts.business}`,
    orderId: `ord_${parts.order}`,
    expiresAt: Number.parseInt(parts.expiry ?? "", 36),
  };
}

async function sign(
  settings: SigningSettings,
  purpose: LinkPurpose,
  content: string,
): Promise<string> {
  const secret = await deriveSecret(settings, purpose);
  return (await hmacSha256(secret, content)).slice(0, signatureLength);
}
