import { z } from "@hono/zod-openapi";
import { isoOrNull } from "../../../shared/kernel/index.ts";
import {
  assertEnrolled,
  loadSavedData,
  type Preferences,
  preferencesRepo,
  toPreferences,
  verifiedContact,
} from "../../../shared/link/index.ts";
import { orderTypes } from "../../../shared/orders/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext, requireLinkSession } from "../context.ts";
import { AddressView, viewAddress } from "../views/address.ts";
import { MobileMoneyView, viewMobileMoney } from "../views/mobile-money.ts";

const CustomerView = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .openapi("LinkCustomer");

const PreferencesView = z
  .object({
    preferred_order_type: z.enum(orderTypes).nullable(),
    default_address_id: z.string().nullable(),
    notify_on_order: z.boolean(),
    updated_at: z.string().nullable(),
  })
  .openapi("LinkPreferences");

const SavedDataView = z
  .object({
    customer: CustomerView,
    addresses: z.array(AddressView),
    mobile_money: z.array(MobileMoneyView),
    preferences: PreferencesView,
    default_address: AddressView.nullable(),
    default_mobile_money: MobileMoneyView.nullable(),
  })
  .openapi("LinkData");

const body = requireJson(
  z.object({
    preferred_order_type: orderType.nullish(),
    default_address_id: id().nullish(),
    notify_on_order: z.boolean().optional(),
  }),
);

/** All saved data at once, and preferences (docs/contract/link.md#saved-data). */
export const data = createRoutes()
  .openapi(
    route("get", "/data", {
      operationId: "getAccountData",
      tag: "Account",
      summary: "Read all saved data of the account",
      access,
      response: SavedDataView,
    }),
    async (c) => {
      const { account, contacts } = requireLinkSession(c);
      const saved = await loadSavedData(createAccountContext(c));
      const addresses = saved.addresses.map(viewAddress);
      const mobileMoney = saved.mobileMoney.map(viewMobileMoney);
      const defaultAddress = addresses.find(({ is_default }) => is_default) ?? null;
      const customer = {
        id: account.customerId,
        name: account.name,
        email: verifiedContact(contacts, "email"),
        phone: verifiedContact(contacts, "phone"),
      };
      return c.json(
        envelope({
          customer,
          addresses,
          mobile_money: mobileMoney,
          preferences: viewPreferences(toPreferences(account, defaultAddress?.id ?? null)),
          default_address: defaultAddress,
          default_mobile_money: mobileMoney.find(({ is_default }) => is_default) ?? null,
        }),
        200,
      );
    },
  )
  .openapi(
    route("get", "/preferences", {
      operationId: "getPreferences",
      tag: "Account",
      summary: "Read the account's preferences; NOT_ENROLLED before it has enrolled",
      access,
      errors: ["NOT_ENROLLED"],
      response: PreferencesView,
    }),
    async (c) => {
      assertEnrolled(requireLinkSession(c).account);
      const preferences = await preferencesRepo(createAccountContext(c)).get();
      return c.json(envelope(viewPreferences(preferences)), 200);
    },
  )
  .openapi(
    route("post", "/preferences", {
      operationId: "updatePreferences",
      tag: "Account",
      summary: "Update preferences; omitted fields stay, null clears",
      access,
      errors: ["NOT_ENROLLED"],
      body,
      response: PreferencesView,
    }),
    async (c) => {
      assertEnrolled(requireLinkSession(c).account);
      const { preferred_order_type, default_address_id, notify_on_order } = c.req.valid("json");
      const ctx = createAccountContext(c);
      const preferences = await preferencesRepo(ctx).update(
        {
          preferredOrderType: preferred_order_type,
          defaultAddressId: default_address_id,
          notifyOnOrder: notify_on_order,
        },
        ctx.now(),
      );
      return c.json(envelope(viewPreferences(preferences)), 200);
    },
  );

const viewPreferences = (preferences: Preferences): z.infer<typeof PreferencesView> => ({
  preferred_order_type: preferences.preferredOrderType,
  default_address_id: preferences.defaultAddressId,
  notify_on_order: preferences.notifyOnOrder,
  updated_at: isoOrNull(preferences.updatedAt),
});
