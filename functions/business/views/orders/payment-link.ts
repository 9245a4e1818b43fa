import { z } from "@hono/zod-openapi";
import { iso } from "../../../../shared/kernel/index.ts";
import { publicAddressOf, type RequestContext, requireCaller } from "../../../http/context.ts";
import { createPaymentLinkToken } from "../../../runtime/order-links.ts";

/** docs/contract/business.md#payment-link */
export const PaymentLinkView = z
  .object({ url: z.string(), expires_at: z.string() })
  .openapi("PaymentLink");

/** The address of the page on which an order is paid until the link expires. */
export async function createPaymentLinkView(
  c: RequestContext,
  { orderId, expiresAt }: Readonly<{ orderId: string; expiresAt: number }>,
): Promise<z.infer<typeof PaymentLinkView>> {
  const { business } = requireCaller(c);
  const link = { businessId: business.id, orderId, expiresAt };
  const token = await createPaymentLinkToken(c.get("settings"), link);
  return { url: `${publicAddressOf(c).origin}/pay/${token}`, expires_at: iso(expiresAt) };
}
