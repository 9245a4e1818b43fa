import { z } from "@hono/zod-openapi";
import {
  demandEnrolled,
  preferencesOf,
  preferencesRepo,
  readSaved,
  verifiedContact,
} from "../../../shared/link/index.ts";
import { area } from "../../http/app.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { orderType } from "../../wire/order-type.ts";
import { linkSession as access } from "../access.ts";
import { accountContext, sessionOf } from "../context.ts";
import { AddressView, viewAddress } from "../views/address.ts";
import { MobileMoneyView, viewMobileMoney } from "../views/mobile-money.ts";
import { PreferencesView, viewPreferences } from "../views/preferences.ts";

const CustomerView = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .openapi("LinkCustomer");

/** `.nullable()` of a schema with a name is written into the document as never null. */
const orNull = <T extends z.ZodType>(named: T) => z.union([named, z.null()]);

const SavedDataView = z
  .object({
    customer: CustomerView,
    addresses: z.array(AddressView),
    mobile_money: z.array(MobileMoneyView),
    preferences: PreferencesView,
    default_address: orNull(AddressView),
    default_mobile_money: orNull(MobileMoneyView),
  })
  .openapi("LinkData");

const body = json(
  z.object({
    preferred_order_type: orderType.nullish(),
    default_address_id: id().nullish(),
    notify_on_order: z.boolean().optional(),
  }),
);

/** interface.md, Link API: everything at once, and preferences. */
export const data = area()
  .openapi(
    contract("get", "/data", {
      summary: "All that the account has saved",
      access,
      answer: SavedDataView,
    }),
    async (c) => {
      const { account, contacts } = sessionOf(c);
      const saved = await readSaved(accountContext(c));
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
        answer({
          customer,
          addresses,
          mobile_money: mobileMoney,
          preferences: viewPreferences(preferencesOf(account, defaultAddress?.id ?? null)),
          default_address: defaultAddress,
          default_mobile_money: mobileMoney.find(({ is_default }) => is_default) ?? null,
        }),
        200,
      );
    },
  )
  .openapi(
    contract("get", "/preferences", {
      summary: "The account's preferences; NOT_ENROLLED before it has enrolled",
      access,
      answer: PreferencesView,
    }),
    async (c) => {
      demandEnrolled(sessionOf(c).account);
      const preferences = await preferencesRepo(accountContext(c)).get();
      return c.json(answer(viewPreferences(preferences)), 200);
    },
  )
  .openapi(
    contract("post", "/preferences", {
      summary: "Change preferences; what is left out stays, null is none",
      access,
      body,
      answer: PreferencesView,
    }),
    async (c) => {
      demandEnrolled(sessionOf(c).account);
      const { preferred_order_type, default_address_id, notify_on_order } = c.req.valid("json");
      const ctx = accountContext(c);
      const preferences = await preferencesRepo(ctx).update(
        {
          preferredOrderType: preferred_order_type,
          defaultAddressId: default_address_id,
          notifyOnOrder: notify_on_order,
        },
        ctx.now(),
      );
      return c.json(answer(viewPreferences(preferences)), 200);
    },
  );
