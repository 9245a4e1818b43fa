import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { dataOf, merchant } from "./world.ts";

/** Creates a payment link and returns the path of its page. */
export async function createPaymentPath(shop: CreatedBusiness, orderId: string): Promise<string> {
  const link = await merchant(shop)("POST", `/orders/${orderId}/payment-link`);
  return new URL(dataOf(link).url).pathname;
}
