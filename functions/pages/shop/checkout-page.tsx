import { logInPath } from "../account/load-account.ts";
import type { PageContext } from "../env.ts";
import { readBuyer } from "../http/cookies.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { redirectTo, respondWithPage } from "../http/respond.tsx";
import { listCountries } from "../parts/countries.ts";
import {
  Field,
  FieldNotes,
  type FormState,
  Notice,
  PostForm,
  SelectField,
} from "../parts/fields.tsx";
import { describeChoice, formatPrice } from "../parts/format.ts";
import { ShopDocument } from "../parts/layout.tsx";
import { PaymentMethods } from "../parts/payment-methods.tsx";
import { PlanTerms } from "../parts/plan-terms.tsx";
import { Totals } from "../parts/totals.tsx";
import { HoldNotice, LineTime } from "../services/line-time.tsx";
import { initialValues, needsAddress, type PaymentMethod } from "./checkout-form.ts";
import {
  DeliveryChoices,
  type DeliveryOption,
  deliveryName,
  isWholeAddress,
  loadDeliveryOptions,
  type ShownCart,
  withUsualDelivery,
} from "./delivery.tsx";
import { loadKnownShopper } from "./known-shopper.ts";
import { openShop, type VisitedShop } from "./open-shop.ts";

/** The checkout: who buys, how the order is delivered, how it is paid, and what it costs. */
export async function respondWithCheckout(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const cart = shop.hasSession() ? (await shop.api.cart.get()).data : null;
  if (cart === null || cart.items.length === 0) return redirectTo(c, `${shop.path}/cart`);
  const shopper = await loadKnownShopper(shop);
  const ofCart = cart.delivery?.address ?? null;
  const address = isWholeAddress(ofCart) ? ofCart : (shopper?.address ?? ofCart);
  const options = await loadDeliveryOptions(shop, cart, address);
  const priced = await withUsualDelivery(shop, cart, options, address);
  const methods = payableMethods(shop, priced.delivery?.option_id ?? "", options);
  const values = initialValues(shop, priced, {
    ...{ methods, shopper },
    buyer: readBuyer(c, shop.business.id),
  });
  const isLoggedIn = shopper !== null;
  return showCheckout(c, { shop, cart: priced, options, isLoggedIn, form: { values, errors: {} } });
}

/** The ways to pay that both the shop and the chosen delivery take. */
export function payableMethods(
  { business }: VisitedShop,
  deliveryOption: string,
  options: readonly DeliveryOption[],
): readonly PaymentMethod[] {
  const chosen = options.find(({ id }) => id === deliveryOption);
  return business.payment_methods.filter(
    (method) => chosen === undefined || chosen.payment_methods.includes(method),
  );
}

export type CheckoutView = Readonly<{
  shop: VisitedShop;
  cart: ShownCart;
  options: readonly DeliveryOption[];
  form: FormState;
  isLoggedIn: boolean;
  /** The key of a submission that is to be continued; a new one otherwise. */
  key?: string | undefined;
  status?: 200 | 400 | 409 | 422 | 503;
}>;

export async function showCheckout(
  c: PageContext,
  { key, status = 200, ...view }: CheckoutView,
): Promise<Response> {
  const { shop, cart, form, isLoggedIn } = view;
  const fresh = await createFormMarks(c);
  const marks = key === undefined ? fresh : { ...fresh, key };
  const hasErrors = form.message !== undefined || Object.keys(form.errors).length > 0;
  const page = (
    <ShopDocument
      shop={shop}
      cartCount={cart.item_count}
      facts={{ title: hasErrors ? "Error: Checkout" : "Checkout" }}
    >
      <nav class="trail" aria-label="Where you are">
        <a href={`${shop.path}/cart`}>Cart</a>
      </nav>
      <h1>Checkout</h1>
      {form.message && (
        <Notice kind="bad">
          {form.message} {form.link && <a href={form.link.href}>{form.link.name}</a>}
        </Notice>
      )}
      {form.message === undefined && hasErrors && (
        <Notice kind="bad">Some fields need a change.</Notice>
      )}
      <HoldNotice cart={cart} />
      {!isLoggedIn && hasPlan(cart) && (
        <Notice kind="info">
          A subscription belongs to an account.{" "}
          <a href={logInPath(shop, "checkout")}>Log in to subscribe</a>: you need no password, and
          your cart stays.
        </Notice>
      )}
      <CheckoutForm {...view} marks={marks} />
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}

type FormProps = Omit<CheckoutView, "key" | "status"> & Readonly<{ marks: FormMarks }>;

const CheckoutForm = ({ shop, cart, options, form, isLoggedIn, marks }: FormProps) => {
  const methods = payableMethods(shop, form.values.delivery_option ?? "", options);
  const hasAddress = options.some(({ type }) => type === "delivery");
  return (
    <PostForm action={`${shop.path}/checkout`} marks={marks} class="columns checkout">
      <div class="steps">
        <fieldset>
          <legend>Contact</legend>
          {!isLoggedIn && !hasPlan(cart) && (
            <p class="hint">
              You need no account.{" "}
              <a href={logInPath(shop, "checkout")}>Log in to have your details filled in</a>
            </p>
          )}
          <Field name="name" label="Name" autocomplete="name" form={form} isRequired />
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="email"
            maxlength={254}
            form={form}
            hint="One of the two is enough. We only write about this order."
          />
          <Field
            name="phone"
            label="Phone number"
            type="tel"
            autocomplete="tel"
            maxlength={40}
            form={form}
          />
        </fieldset>
        {options.length > 0 && (
          <fieldset aria-describedby={form.errors.delivery_option && "delivery_option-error"}>
            <legend>Delivery</legend>
            <FieldNotes name="delivery_option" form={form} />
            <DeliveryChoices
              shop={shop}
              options={options}
              chosen={form.values.delivery_option ?? null}
            />
          </fieldset>
        )}
        {hasAddress && <AddressFields form={form} isRequired={isDelivered(form, options)} />}
        {methods.length > 0 ? (
          <PaymentMethods methods={methods} form={form} legend="Payment" />
        ) : (
          <Notice kind="info">
            {shop.business.name} takes no payment for this at the moment. Choose another delivery,
            or ask the shop.
          </Notice>
        )}
        <fieldset>
          <legend>Anything else?</legend>
          <Field name="notes" label="Message to the shop" maxlength={1_000} form={form} />
        </fieldset>
      </div>
      <section class="summary" aria-labelledby="summary">
        <h2 id="summary">Your order</h2>
        <ul class="brief">
          {cart.items.map((line) => (
            <li>
              <span>
                {line.quantity} × {line.name}
                <small>{describeChoice(line)}</small>
                <LineTime shop={shop} line={line} />
                <PlanTerms shop={shop} line={line} />
              </span>
              <span class="amount">{formatPrice(line.line_total, shop.business)}</span>
            </li>
          ))}
        </ul>
        <Totals shop={shop} amounts={cart.pricing} delivery={deliveryName(cart)} />
        <input type="hidden" name="shown_total" value={cart.pricing.total_price} />
        <input type="hidden" name="cart" value={cart.id} />
        <button type="submit" class="wide" name="action" value="order">
          Place order · {formatPrice(cart.pricing.total_price, shop.business)}
        </button>
        {options.length > 0 && (
          <button type="submit" class="plain wide" name="action" value="update" formnovalidate>
            Update delivery and total
          </button>
        )}
      </section>
    </PostForm>
  );
};

/** Whether the order begins a subscription, which belongs to a customer. */
const hasPlan = ({ items }: ShownCart): boolean =>
  items.some(({ billing_plan_id: plan }) => plan !== null);

const isDelivered = ({ values }: FormState, options: readonly DeliveryOption[]): boolean =>
  needsAddress({ delivery_option: values.delivery_option ?? "" }, options);

const AddressFields = ({
  form,
  isRequired,
}: Readonly<{ form: FormState; isRequired: boolean }>) => (
  <fieldset class="address">
    <legend>Address</legend>
    {!isRequired && <p class="hint">Only for a delivery.</p>}
    <Field
      name="street_address"
      label="Street and house number"
      autocomplete="street-address"
      form={form}
      isOptionalHidden
    />
    <div class="pair">
      <Field
        name="postal_code"
        label="Postal code"
        autocomplete="postal-code"
        maxlength={20}
        form={form}
      />
      <Field name="city" label="Town" autocomplete="address-level2" form={form} isOptionalHidden />
    </div>
    <div class="pair">
      <Field name="region" label="Region" autocomplete="address-level1" form={form} />
      <SelectField
        name="country"
        label="Country"
        autocomplete="country"
        options={listCountries()}
        form={form}
      />
    </div>
  </fieldset>
);
