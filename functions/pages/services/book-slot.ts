import { DukaError, NotFoundError } from "../../../sdk/src/storefront.ts";
import type { PageContext } from "../env.ts";
import { readForm, submissionKey } from "../http/forms.ts";
import { redirectTo } from "../http/respond.tsx";
import { findMissingOptions, readSelections } from "../shop/add-to-cart.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { dateIn } from "./days.ts";
import { readServiceChoice, type ServiceChoice, timezoneOf } from "./service-choice.ts";
import { type OpenedService, openService, showService } from "./service-page.tsx";
import { slotRefusalText } from "./slot-refusal.ts";

/** Adds a service at a time to the cart. What is refused is shown beside the times that are free. */
export async function bookSlot(c: PageContext): Promise<Response> {
  const opened = await openService(c);
  const form = await readForm(c);
  const { shop, product, service } = opened;
  const choice = readServiceChoice(service, form.get);
  const slot = form.get("slot");
  const values = Object.fromEntries(form.names.map((name) => [name, form.all(name).join("\n")]));
  const errors = {
    ...(Number.isNaN(Date.parse(slot)) && { slot: "Choose a time." }),
    ...findMissingOptions(product, form),
  };
  const view = { choice, date: dayOf(opened, choice, slot) };
  if (Object.keys(errors).length > 0) {
    const [message] = Object.values(errors);
    return showService(c, opened, { ...view, form: { values, errors, message }, status: 400 });
  }
  try {
    const { data } = await shop.api.cart.addItem(
      {
        item_id: product.id,
        quantity: choice.people,
        scheduled_start: new Date(slot).toISOString(),
        ...(choice.variantId !== null && { variant_id: choice.variantId }),
        ...(choice.locationId !== null && { location_id: choice.locationId }),
        ...(choice.staffId !== null && { staff_id: choice.staffId }),
        ...readSelections(form),
      },
      { idempotencyKey: await submissionKey(form) },
    );
    await removeReplaced(shop, choice, data.item.id);
  } catch (error) {
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    const message = slotRefusalText(error);
    return showService(c, opened, { ...view, form: { values, errors: {}, message }, status: 422 });
  }
  return redirectTo(c, `${shop.path}/cart?added=${encodeURIComponent(product.slug)}`);
}

/** Takes the line out whose time has been changed. It may have left the cart meanwhile. */
async function removeReplaced(
  { api }: VisitedShop,
  { replacedLine }: ServiceChoice,
  addedLine: string,
): Promise<void> {
  if (replacedLine === null || replacedLine === addedLine) return;
  try {
    await api.cart.removeItem(replacedLine);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

/** The day of a time in the zone of the chosen place; null for no time. */
function dayOf({ shop }: OpenedService, { locationId }: ServiceChoice, slot: string) {
  const time = Date.parse(slot);
  return Number.isNaN(time) ? null : dateIn(timezoneOf(shop, locationId), new Date(time));
}
