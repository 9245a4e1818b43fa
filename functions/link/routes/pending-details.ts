import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import {
  confirmPendingDetails,
  type PendingDetails,
  pendingDetailsRepo,
} from "../../../shared/link/index.ts";
import { orderTypes } from "../../../shared/orders/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, route } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext } from "../context.ts";
import { AddressView, addressFields, viewAddress } from "../views/address.ts";
import { MobileMoneyView, mobileMoneyFields, viewMobileMoney } from "../views/mobile-money.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const PendingDetailsView = z
  .object({
    id: z.string(),
    business_name: z.string(),
    order_id: z.string().nullable(),
    name: z.string().nullable(),
    address: z.object(addressFields).nullable(),
    mobile_money: z.object(mobileMoneyFields).nullable(),
    order_type: z.enum(orderTypes).nullable(),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .openapi("LinkPendingDetails");

const ConfirmedView = z
  .object({
    id: z.string(),
    address: AddressView.nullable(),
    mobile_money: MobileMoneyView.nullable(),
  })
  .openapi("LinkConfirmedDetails");

const params = z.object({ id: id() });

/** Details that wait until the account's owner decides (docs/contract/link.md#pending-details). */
export const pendingDetails = createRoutes()
  .openapi(
    route("get", "/pending-details", {
      operationId: "listPendingDetails",
      tag: "Pending details",
      summary: "List the details that wait for the account's owner, the newest first",
      access,
      response: z.array(PendingDetailsView),
    }),
    async (c) => {
      const waiting = await pendingDetailsRepo(createAccountContext(c)).list();
      return c.json(envelope(waiting.map(viewPendingDetails)), 200);
    },
  )
  .openapi(
    route("post", "/pending-details/{id}/confirm", {
      operationId: "confirmPendingDetails",
      tag: "Pending details",
      summary: "Save waiting details in the account",
      access,
      rules: ["SAVED_LIMIT", "ADDRESS_LIMIT", "MOBILE_MONEY_LIMIT"],
      params,
      response: ConfirmedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { address, mobileMoney } = await confirmPendingDetails(createAccountContext(c), id);
      return c.json(
        envelope({
          id,
          address: address && viewAddress(address),
          mobile_money: mobileMoney && viewMobileMoney(mobileMoney),
        }),
        200,
      );
    },
  )
  .openapi(
    route("delete", "/pending-details/{id}", {
      operationId: "discardPendingDetails",
      tag: "Pending details",
      summary: "Discard waiting details",
      access,
      params,
      response: RemovedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await pendingDetailsRepo(createAccountContext(c)).discard(id);
      return c.json(envelope(viewRemoved(id)), 200);
    },
  );

const viewPendingDetails = ({
  address,
  mobileMoney,
  ...details
}: PendingDetails): z.infer<typeof PendingDetailsView> => ({
  id: details.id,
  business_name: details.businessName,
  order_id: details.orderId,
  name: details.name,
  address: address && {
    label: address.label,
    street_address: address.streetAddress,
    apartment: address.apartment,
    city: address.city,
    region: address.region,
    country: address.country,
  },
  mobile_money: mobileMoney && {
    phone_number: mobileMoney.phoneNumber,
    provider: mobileMoney.provider,
    label: mobileMoney.label,
  },
  order_type: details.orderType,
  created_at: iso(details.createdAt),
  expires_at: iso(details.expiresAt),
});
