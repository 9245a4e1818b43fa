import { z } from "@hono/zod-openapi";
import { createFxQuote, type FxContext, readRate } from "../../../shared/fx/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { createContext, type RequestContext } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { fxProviderFor } from "../../runtime/providers/fx-providers.ts";
import { currency, moneyText } from "../../wire/fields.ts";
import { storeByShopper } from "../response-stores.ts";
import { FxQuoteView, FxRateView, viewFxQuote, viewFxRate } from "../views/fx.ts";

/** The calls for exchange rates and their quotes (docs/contract/storefront.md#fx). */
export const fx = createRoutes()
  .openapi(
    route("get", "/fx/rate", {
      operationId: "getFxRate",
      tag: "FX",
      summary: "Get an indicative exchange rate",
      access,
      query: z.object({ from: currency(), to: currency() }),
      response: FxRateView,
    }),
    async (c) => {
      const rate = await readRate(createFxContext(c), c.req.valid("query"));
      return c.json(envelope(viewFxRate(rate)), 200);
    },
  )
  .openapi(
    route("post", "/fx/quotes", {
      operationId: "createFxQuote",
      tag: "FX",
      summary: "Lock an exchange rate for five minutes",
      access,
      session: "optional",
      rules: ["FX_NOT_CONFIGURED"],
      body: requireJson(z.object({ from: currency(), to: currency(), amount: moneyText() })),
      response: FxQuoteView,
      idempotency: { store: storeByShopper, replay: "fresh" },
    }),
    async (c) => {
      const quote = await createFxQuote(createFxContext(c), c.req.valid("json"));
      return c.json(envelope(viewFxQuote(quote)), 200);
    },
  );

function createFxContext(c: RequestContext): FxContext {
  const ctx = createContext(c, { type: "anonymous" });
  const background = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  return { ...ctx, fx: fxProviderFor(ctx.business, { settings: c.get("settings"), background }) };
}
