import { logInPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { createFormMarks } from "../http/forms.ts";
import { notFoundPage } from "../http/page-error.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { emptyForm, type FormState, Notice, PostForm } from "../parts/fields.tsx";
import { OfferPage } from "../parts/offer-page.tsx";
import { loadCartCount } from "../shop/cart-count.ts";
import { openShop, type VisitedShop } from "../shop/open-shop.ts";
import { AddOnChoices } from "../shop/product-choices.tsx";
import type { ShownProduct } from "../shop/product-parts.ts";
import { formatDuration, readDate } from "./days.ts";
import {
  choiceFields,
  readServiceChoice,
  type ServiceChoice,
  servicePath,
  timeFilterOf,
  timezoneOf,
} from "./service-choice.ts";
import { ServiceForm } from "./service-form.tsx";
import { loadTimeChoice, type ShownService, type TimeChoice } from "./time-choice.ts";
import { DayPicker, SlotChoices } from "./time-picker.tsx";

/** A service of a shop, with its product. */
export type OpenedService = Readonly<{
  shop: VisitedShop;
  product: ShownProduct;
  service: ShownService;
}>;

/** @throws PageError 404 for a product that is no service. */
export async function openService(c: PageContext): Promise<OpenedService> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const { data: product } = await shop.api.products.get(c.req.param("service") ?? "");
  if (product.product_type !== "service") throw notFoundPage("This is no service of the shop.");
  const { data: service } = await shop.api.services.get(product.id);
  return { shop, product, service };
}

/** A service with what can be chosen of it and its free times. */
export async function respondWithService(c: PageContext): Promise<Response> {
  const opened = await openService(c);
  const { shop, product, service } = opened;
  if (c.req.param("service") !== product.slug) {
    const { search } = new URL(c.req.url);
    return redirectTo(c, servicePath(shop, product.slug) + search);
  }
  const choice = readServiceChoice(service, (name) => c.req.query(name));
  return showService(c, opened, {
    choice,
    form: { ...emptyForm, values: await loadReplacedValues(shop, choice) },
  });
}

/** The options of the line that gets another time. */
async function loadReplacedValues(
  shop: VisitedShop,
  { replacedLine }: ServiceChoice,
): Promise<FormState["values"]> {
  if (replacedLine === null || !shop.hasSession()) return {};
  const { data: cart } = await shop.api.cart.get();
  const line = cart.items.find(({ id }) => id === replacedLine);
  return line === undefined ? {} : { chosen_options: line.add_on_options.join("\n") };
}

type ServiceView = Readonly<{
  choice: ServiceChoice;
  form: FormState;
  /** The day that a refused form was for; that of the address otherwise. */
  date?: string | null;
  status?: 200 | 400 | 409 | 422;
}>;

export async function showService(
  c: PageContext,
  { shop, product, service }: OpenedService,
  { choice, form, date, status = 200 }: ServiceView,
): Promise<Response> {
  const [times, cartCount, marks, mayBook] = await Promise.all([
    loadTimeChoice(shop, {
      service,
      filter: timeFilterOf(service, choice),
      timezone: timezoneOf(shop, choice.locationId),
      from: readDate(c.req.query("from")),
      date: date ?? readDate(c.req.query("day")),
    }),
    loadCartCount(shop),
    createFormMarks(c),
    isAllowedToBook(shop, service),
  ]);
  const path = servicePath(shop, product.slug);
  const fields = choiceFields(choice);
  const variant = service.variants.find(({ id }) => id === choice.variantId);
  const page = (
    <OfferPage
      {...{ shop, product, cartCount, path, form }}
      list={{ href: `${shop.path}/services`, name: "Services" }}
      data={serviceData(shop, product)}
      note={formatDuration(variant?.duration_minutes ?? service.duration_minutes)}
      isLong
    >
      <ServiceForm shop={shop} product={product} service={service} choice={choice} />
      <section class="panel" aria-labelledby="choose-time">
        <h2 id="choose-time">Choose a time</h2>
        <DayPicker
          shop={shop}
          choice={times}
          pathOf={(query) => `${path}?${new URLSearchParams({ ...fields, ...query })}`}
        />
        {times.slots.length > 0 &&
          (mayBook ? (
            <PostForm action={path} marks={marks} class="add">
              {Object.entries(fields).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <SlotChoices shop={shop} choice={times} form={form} />
              <AddOnChoices shop={shop} product={product} form={form} />
              <button type="submit">
                {choice.replacedLine === null ? "Add to cart" : "Change the time"}
              </button>
              <p class="hint">The time is held for you for ten minutes.</p>
            </PostForm>
          ) : (
            <Notice kind="info">
              Only customers who are logged in can book this.{" "}
              <a href={logInPath(shop, `services/${encodeURIComponent(product.slug)}`)}>
                Log in and come back
              </a>
            </Notice>
          ))}
      </section>
    </OfferPage>
  );
  return respondWithPage(c, page, { status, isListed: status === 200 && isPlain(c, times) });
}

/** Whether the address is that of the service alone, which search engines list. */
const isPlain = (c: PageContext, { from, today }: TimeChoice): boolean =>
  from === today && new URL(c.req.url).search === "";

async function isAllowedToBook(shop: VisitedShop, service: ShownService): Promise<boolean> {
  if (!service.require_verified_contact) return true;
  if (!shop.hasSession()) return false;
  return (await shop.api.auth.getStatus()).data.is_authenticated;
}

/** The service and its offer for search engines. */
const serviceData = ({ business, origin, path }: VisitedShop, product: ShownProduct): object => ({
  "@context": "https://schema.org",
  "@type": "Service",
  name: product.name,
  description: product.description,
  provider: { "@type": "LocalBusiness", name: business.name },
  ...(product.images.length > 0 && { image: product.images.map(({ url }) => url) }),
  offers: {
    "@type": "Offer",
    price: product.price_range.min,
    priceCurrency: product.currency,
    url: `${origin}${path}/services/${encodeURIComponent(product.slug)}`,
  },
});
