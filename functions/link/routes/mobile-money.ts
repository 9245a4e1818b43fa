import { z } from "@hono/zod-openapi";
import { mobileMoneyRepo, verifyMobileMoney } from "../../../shared/link/index.ts";
import { area } from "../../http/app.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { id } from "../../wire/fields.ts";
import { linkSession as access } from "../access.ts";
import { accountContext, sessionOf } from "../context.ts";
import { numberDirectoryOf } from "../number-directory.ts";
import { defaultCountryOf, MobileMoneyBody, mobileMoneyOf } from "../requests/saved-fields.ts";
import { MobileMoneyView, viewMobileMoney } from "../views/mobile-money.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const params = z.object({ id: id() });

const VerifiedView = z
  .object({ is_reachable: z.boolean(), account_name: z.string().nullable() })
  .openapi("LinkReachability");

/** interface.md, Link API: saved mobile-money accounts. */
export const mobileMoney = area()
  .openapi(
    contract("get", "/mobile-money", {
      summary: "The account's mobile-money accounts",
      access,
      answer: z.array(MobileMoneyView),
    }),
    async (c) => {
      const listed = await mobileMoneyRepo(accountContext(c)).list();
      return c.json(answer(listed.map(viewMobileMoney)), 200);
    },
  )
  .openapi(
    contract("post", "/mobile-money", {
      summary: "Save a mobile-money account; the first is the default, and there are at most 50",
      access,
      body: json(MobileMoneyBody),
      answer: MobileMoneyView,
    }),
    async (c) => {
      const ctx = accountContext(c);
      const fields = mobileMoneyOf(c.req.valid("json"), { defaultCountry: defaultCountryOf(c) });
      const added = await mobileMoneyRepo(ctx).add({ id: ctx.newId("mm"), ...fields }, ctx.now());
      return c.json(answer(viewMobileMoney(added)), 200);
    },
  )
  .openapi(
    contract("delete", "/mobile-money/{id}", {
      summary: "Remove an account; the one used last becomes the default when this was it",
      access,
      params,
      answer: RemovedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await mobileMoneyRepo(accountContext(c)).remove(id);
      return c.json(answer(viewRemoved(id)), 200);
    },
  )
  .openapi(
    contract("post", "/mobile-money/{id}/default", {
      summary: "Make the account the default, and no other",
      access,
      params,
      answer: MobileMoneyView,
    }),
    async (c) => {
      const account = await mobileMoneyRepo(accountContext(c)).makeDefault(c.req.valid("param").id);
      return c.json(answer(viewMobileMoney(account)), 200);
    },
  )
  .openapi(
    contract("post", "/mobile-money/{id}/track-usage", {
      summary: "Count that the account was used",
      access,
      params,
      answer: MobileMoneyView,
    }),
    async (c) => {
      const ctx = accountContext(c);
      const used = await mobileMoneyRepo(ctx).countUse(c.req.valid("param").id, ctx.now());
      return c.json(answer(viewMobileMoney(used)), 200);
    },
  )
  .openapi(
    contract("post", "/mobile-money/{id}/verify", {
      summary: "Ask the network whether the number is reachable on it",
      access,
      params,
      answer: VerifiedView,
    }),
    async (c) => {
      const directory = numberDirectoryOf(sessionOf(c).account, c.get("settings"));
      const ctx = { ...accountContext(c), directory };
      const verified = await verifyMobileMoney(ctx, c.req.valid("param").id);
      return c.json(
        answer({ is_reachable: verified.isReachable, account_name: verified.accountName }),
        200,
      );
    },
  );
