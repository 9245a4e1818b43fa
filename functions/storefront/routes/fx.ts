import { z } from "@hono/zod-openapi";
import { createFxQuote, type FxContext, readRate } from "../../../shared/fx/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { contextOf } from "../../http/context.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { fxProviderOf } from "../../runtime/fx-providers.ts";
import { currency, moneyText } from "../../wire/fields.ts";
import { FxQuoteView, FxRateView, viewFxQuote, viewFxRate } from "../views/fx.ts";
import { answersOfShopper as answersOf } from "../views/order-answers.ts";

/** interface.md, FX. */
export const fx = area()
  .openapi(
    contract("get", "/fx/rate", {
      summary: "An exchange rate, promised to nobody",
      access,
      query: z.object({ from: currency(), to: currency() }),
      answer: FxRateView,
    }),
    async (c) => {
      const rate = await readRate(fxContext(c), c.req.valid("query"));
      return c.json(answer(viewFxRate(rate)), 200);
    },
  )
  .openapi(
    contract("post", "/fx/quotes", {
      summary: "Lock an exchange rate for five minutes",
      access,
      body: json(z.object({ from: currency(), to: currency(), amount: moneyText() })),
      answer: FxQuoteView,
      answersOf,
      knowsRepeats: "anew",
    }),
    async (c) => {
      const quote = await createFxQuote(fxContext(c), c.req.valid("json"));
      return c.json(answer(viewFxQuote(quote)), 200);
    },
  );

function fxContext(c: RequestContext): FxContext {
  const ctx = contextOf(c, { type: "anonymous" });
  const background = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  return { ...ctx, fx: fxProviderOf(ctx.business, { settings: c.get("settings"), background }) };
}
