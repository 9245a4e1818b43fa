import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { type FormFields, readForm, submissionKey } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo } from "../http/respond.tsx";
import { forShoppers } from "../parts/refusal-text.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { logInPath, sectionPath } from "./load-account.ts";
import { showSubscriptions } from "./subscriptions-page.tsx";

/** Cancels, pauses, continues or skips a subscription, and shows them all. */
export async function changeSubscription(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const form = await readForm(c);
  if (!shop.hasSession()) return redirectTo(c, logInPath(shop, "subscriptions"));
  try {
    await runAction(shop, form);
  } catch (error) {
    const isRefused = error instanceof DukaError && [400, 409, 422].includes(error.status);
    if (isRefused && !(error instanceof NotFoundError)) {
      return showSubscriptions(c, shop, { refusal: refusalText(error), status: 422 });
    }
    if (!(error instanceof DukaError) || ![401, 404].includes(error.status)) throw error;
  }
  return redirectTo(c, sectionPath(shop, "subscriptions"));
}

async function runAction({ api }: VisitedShop, form: FormFields): Promise<void> {
  const id = form.get("subscription");
  const options = { idempotencyKey: await submissionKey(form) };
  switch (form.get("action")) {
    case "cancel":
      await api.subscriptions.cancel(id, { reason: "Cancelled by the customer" }, options);
      return;
    case "pause":
      await api.subscriptions.pause(id, options);
      return;
    case "resume":
      await api.subscriptions.resume(id, options);
      return;
    case "skip":
      await api.subscriptions.skipRenewal(id, options);
      return;
    default:
      throw notFoundPage("This page has no such form.");
  }
}

const refusalText = (error: DukaError): string =>
  error.rule === "INVALID_STATE"
    ? "This is not possible any more: the subscription has changed meanwhile, or the shop has ended it."
    : forShoppers(error);
