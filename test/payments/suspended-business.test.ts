import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createProviderLookup } from "../../functions/runtime/providers/payment-providers.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { BusinessStatus } from "../../shared/businesses/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import { createCharge, createRefund } from "./create-charge.ts";

const statuses: readonly BusinessStatus[] = [
  { type: "suspended", suspendedAt: 0 },
  { type: "closed", closedAt: 0 },
];

describe.each(statuses.map((status) => [status.type, status] as const))(
  "the payment provider of a %s business",
  (_, status) => {
    it("charges nobody, and verifies and refunds what was charged before", async () => {
      const shop = await createBusiness();
      const product = await createProduct(shop);
      await createOrder(shop, product.id, { payWith: "0", quantity: 1 });
      const [charge] = await selectRows(
        shop,
        `select reference, amount_minor from sandbox_charges join orders on orders.id = order_id
          where business_id = ?`,
        shop.business.id,
      );
      const shard = shop.business.shard === "SHOP_1" ? env.SHOP_1 : env.SHOP_2;
      const business = { ...shop.business, status };
      const provider = createProviderLookup(business, {
        core: env.CORE,
        shop: shard,
        settings: settingsOf(env),
      }).byName("sandbox");
      if (provider === null) throw new Error("The sandbox is missing.");
      const { charge: take, chargeAgain, authorize }: PaymentProvider = provider;
      const request = createCharge();
      const earlier = { earlierReference: "ref_1", earlierProviderReference: null };
      const declined = { type: "declined", reason: "The business is suspended or closed." };
      expect(await take(request)).toEqual(declined);
      expect(await chargeAgain?.({ ...request, ...earlier, page: null })).toEqual(declined);
      const { reference } = request;
      expect(await authorize({ reference, type: "otp", value: "123456" })).toEqual(declined);
      expect(await provider.verify(reference)).toEqual({ type: "unknown" });

      const paid = createCharge({
        reference: String(charge?.reference),
        amountMinor: Number(charge?.amount_minor),
      });
      expect(await provider.verify(paid.reference)).toMatchObject({ type: "captured" });
      expect(await provider.refund(createRefund(paid))).toEqual({ type: "refunded" });
    });
  },
);
