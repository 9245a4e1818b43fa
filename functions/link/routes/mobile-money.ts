import { z } from "@hono/zod-openapi";
import {
  createPaystackDirectory,
  type LinkAccount,
  type MobileMoneyDirectory,
  mobileMoneyRepo,
  sandboxMobileMoneyDirectory,
  verifyMobileMoney,
} from "../../../shared/link/index.ts";
import { createRoutes } from "../../http/app.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { paystackConnection } from "../../runtime/providers/payment-providers.ts";
import type { Settings } from "../../runtime/settings.ts";
import { id } from "../../wire/fields.ts";
import { linkSessionRequired as access } from "../access.ts";
import { createAccountContext, requireLinkSession } from "../context.ts";
import { defaultCountryOf, MobileMoneyBody, parseMobileMoney } from "../requests/saved-fields.ts";
import { MobileMoneyView, viewMobileMoney } from "../views/mobile-money.ts";
import { RemovedView, viewRemoved } from "../views/removed.ts";

const params = z.object({ id: id() });

const VerifiedView = z
  .object({ is_reachable: z.boolean(), account_name: z.string().nullable() })
  .openapi("LinkReachability");

/** Saved mobile-money accounts (docs/contract/link.md#mobile-money). */
export const mobileMoney = createRoutes()
  .openapi(
    route("get", "/mobile-money", {
      operationId: "listMobileMoneyAccounts",
      tag: "Mobile money",
      summary: "List the account's mobile-money accounts",
      access,
      response: z.array(MobileMoneyView),
    }),
    async (c) => {
      const accounts = await mobileMoneyRepo(createAccountContext(c)).list();
      return c.json(envelope(accounts.map(viewMobileMoney)), 200);
    },
  )
  .openapi(
    route("post", "/mobile-money", {
      operationId: "createMobileMoneyAccount",
      tag: "Mobile money",
      summary: "Save a mobile-money account; the first one is the default, at most 50",
      access,
      rules: ["MOBILE_MONEY_LIMIT"],
      body: requireJson(MobileMoneyBody),
      response: MobileMoneyView,
    }),
    async (c) => {
      const ctx = createAccountContext(c);
      const fields = parseMobileMoney(c.req.valid("json"), { defaultCountry: defaultCountryOf(c) });
      const added = await mobileMoneyRepo(ctx).add({ id: ctx.newId("mm"), ...fields }, ctx.now());
      return c.json(envelope(viewMobileMoney(added)), 200);
    },
  )
  .openapi(
    route("delete", "/mobile-money/{id}", {
      operationId: "removeMobileMoneyAccount",
      tag: "Mobile money",
      summary:
        "Remove a mobile-money account; the most recently used one replaces a removed default",
      access,
      params,
      response: RemovedView,
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await mobileMoneyRepo(createAccountContext(c)).remove(id);
      return c.json(envelope(viewRemoved(id)), 200);
    },
  )
  .openapi(
    route("post", "/mobile-money/{id}/default", {
      operationId: "setDefaultMobileMoneyAccount",
      tag: "Mobile money",
      summary: "Make the mobile-money account the default",
      access,
      params,
      response: MobileMoneyView,
    }),
    async (c) => {
      const account = await mobileMoneyRepo(createAccountContext(c)).makeDefault(
        c.req.valid("param").id,
      );
      return c.json(envelope(viewMobileMoney(account)), 200);
    },
  )
  .openapi(
    route("post", "/mobile-money/{id}/track-usage", {
      operationId: "trackMobileMoneyAccountUsage",
      tag: "Mobile money",
      summary: "Record a use of the mobile-money account",
      access,
      params,
      response: MobileMoneyView,
    }),
    async (c) => {
      const ctx = createAccountContext(c);
      const used = await mobileMoneyRepo(ctx).countUse(c.req.valid("param").id, ctx.now());
      return c.json(envelope(viewMobileMoney(used)), 200);
    },
  )
  .openapi(
    route("post", "/mobile-money/{id}/verify", {
      operationId: "verifyMobileMoneyAccount",
      tag: "Mobile money",
      summary: "Verify that the number is reachable on its network",
      access,
      params,
      response: VerifiedView,
    }),
    async (c) => {
      const directory = selectDirectory(requireLinkSession(c).account, c.get("settings"));
      const ctx = { ...createAccountContext(c), directory };
      const verified = await verifyMobileMoney(ctx, c.req.valid("param").id);
      return c.json(
        envelope({ is_reachable: verified.isReachable, account_name: verified.accountName }),
        200,
      );
    },
  );

/**
 * The directory that knows the owners of mobile-money accounts: the sandbox in test mode, Paystack
 * in live mode. Null when Paystack is not configured.
 */
function selectDirectory(
  { mode }: LinkAccount,
  { paystack }: Pick<Settings, "paystack">,
): MobileMoneyDirectory | null {
  if (mode === "test") return sandboxMobileMoneyDirectory;
  return paystack && createPaystackDirectory(paystackConnection(paystack));
}
