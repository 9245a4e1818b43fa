import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, createBusinessOnSameShard, type TestBusiness } from "../support/world.ts";

/** A live business with one unpaid order. */
export type UnpaidShop = Readonly<{ shop: CreatedBusiness; product: Product; sale: PlacedOrder }>;

/**
 * Creates a live business with an unpaid order of two units at Paystack, on the shard of `other` if
 * given.
 */
export async function createUnpaidShop(other?: TestBusiness): Promise<UnpaidShop> {
  const shop = other ? await createBusinessOnSameShard(other) : await createBusiness();
  const product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, 100);
  const sale = await createOrder(shop, product.id, { payWith: "1" });
  await env.CORE.prepare("update businesses set mode = 'live' where id = ?")
    .bind(shop.business.id)
    .run();
  await selectRows(
    shop,
    "update payments set provider = 'paystack' where business_id = ?",
    shop.business.id,
  );
  await selectRows(
    shop,
    `update payment_references set provider = 'paystack'
      where payment_id in (select id from payments where business_id = ?)`,
    shop.business.id,
  );
  return { shop, product, sale };
}

/** Counts the business's orders by status. */
export async function countOrders({ business }: TestBusiness): Promise<Record<string, unknown>> {
  const rows = await selectRows(
    { business },
    "select status, count(*) as count from orders where business_id = ? group by status",
    business.id,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [String(status), count]));
}

/** Replaces Paystack's lookup of a transaction; the default reports each as not paid. */
export function stubPaystack(
  respond: (reference: string) => Promise<Response> = async (reference) =>
    unpaidResponse(reference),
): void {
  vi.stubGlobal("fetch", (url: string | URL | Request) =>
    respond(decodeURIComponent(String(url).split("/").at(-1) ?? "")),
  );
}

export const unpaidResponse = (reference: string): Response =>
  Response.json({
    status: true,
    message: "Verification successful",
    data: { id: 1, status: "abandoned", reference, amount: 1, currency: "GHS", channel: "card" },
  });
