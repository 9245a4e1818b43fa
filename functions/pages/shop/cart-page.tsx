import type { PageContext } from "../env.ts";
import { readOwnSessionToken } from "../http/cookies.ts";
import { createFormMarks, type FormMarks } from "../http/forms.ts";
import { respondWithPage } from "../http/respond.tsx";
import {
  emptyForm,
  errorMarks,
  FieldNotes,
  type FormState,
  Notice,
  PostForm,
} from "../parts/fields.tsx";
import { describeChoice, formatPrice } from "../parts/format.ts";
import { ShopDocument } from "../parts/layout.tsx";
import { PlanTerms } from "../parts/plan-terms.tsx";
import { ProductImage } from "../parts/product-grid.tsx";
import { Totals } from "../parts/totals.tsx";
import { HoldNotice, LineTime } from "../services/line-time.tsx";
import {
  DeliveryChoices,
  type DeliveryOption,
  deliveryName,
  loadDeliveryOptions,
  type ShownCart,
  withUsualDelivery,
} from "./delivery.tsx";
import { openShop, type VisitedShop } from "./open-shop.ts";

type ShownLine = ShownCart["items"][number];

/** The cart: its lines, codes and delivery, and the way to the checkout. */
export async function respondWithCart(c: PageContext): Promise<Response> {
  const shop = await openShop(c, c.req.param("slug") ?? "");
  const message = c.req.query("added") === undefined ? null : "It is in your cart.";
  return showCart(c, { shop, notice: message });
}

type CartView = Readonly<{
  shop: VisitedShop;
  form?: FormState;
  /** What has been done. */
  notice?: string | null;
  status?: 200 | 400 | 409 | 422;
  /** What a write has answered, with its notices; read again without one. */
  cart?: ShownCart | undefined;
}>;

export async function showCart(
  c: PageContext,
  { shop, form = emptyForm, notice = null, status = 200, cart: written }: CartView,
): Promise<Response> {
  const stored = written ?? (shop.hasSession() ? (await shop.api.cart.get()).data : null);
  const isEmpty = stored === null || stored.items.length === 0;
  const [options, marks] = await Promise.all([
    isEmpty ? [] : loadDeliveryOptions(shop, stored, stored.delivery?.address ?? null),
    createFormMarks(c),
  ]);
  const cart = stored && (await withUsualDelivery(shop, stored, options));
  const page = (
    <ShopDocument shop={shop} cartCount={cart?.item_count ?? null} facts={{ title: "Cart" }}>
      <h1>Cart</h1>
      {notice && !isEmpty && (
        <Notice kind="good">
          {notice} <a href={shop.home}>Continue shopping</a>
        </Notice>
      )}
      {form.message && <Notice kind="bad">{form.message}</Notice>}
      {cart?.notices.map((one) => (
        <Notice kind="info">{one.message}</Notice>
      ))}
      {cart && <HoldNotice cart={cart} />}
      {readOwnSessionToken(c, shop.business.id) !== null && (
        <OwnCartForm shop={shop} marks={marks} />
      )}
      {isEmpty || cart === null ? (
        <div class="empty">
          <p>Your cart is empty.</p>
          <a class="button" href={shop.home}>
            See the products
          </a>
        </div>
      ) : (
        <div class="columns">
          <CartLines shop={shop} cart={cart} marks={marks} form={form} />
          <CartSummary shop={shop} cart={cart} options={options} marks={marks} form={form} />
        </div>
      )}
    </ShopDocument>
  );
  return respondWithPage(c, page, { status });
}

/** The way back from a cart that an agent has handed over. */
const OwnCartForm = ({ shop, marks }: Pick<PartProps, "shop" | "marks">) => (
  <Notice kind="info">
    You continue a cart that an assistant prepared. Your own cart is kept.
    <PostForm action={`${shop.path}/cart`} marks={marks} class="inline">
      <button type="submit" class="text" name="action" value="own_cart">
        Back to my own cart
      </button>
    </PostForm>
  </Notice>
);

type PartProps = Readonly<{
  shop: VisitedShop;
  cart: ShownCart;
  marks: FormMarks;
  form: FormState;
}>;

const CartLines = ({ cart, ...props }: PartProps) => (
  <ul class="lines">
    {cart.items.map((line) => (
      <CartLine line={line} {...props} />
    ))}
  </ul>
);

/** The name of the field that takes a line's quantity, for what is wrong with it. */
export const quantityField = (lineId: string): string => `quantity-${lineId}`;

const CartLine = ({
  shop,
  line,
  marks,
  form,
}: Omit<PartProps, "cart"> & Readonly<{ line: ShownLine }>) => {
  const choice = describeChoice(line);
  const field = quantityField(line.id);
  return (
    <li>
      <ProductImage url={line.image_url} name="" isFirst />
      <div class="line-text">
        <strong>
          {line.slug === null ? (
            line.name
          ) : (
            <a
              href={`${shop.path}/${line.scheduled_start === null ? "products" : "services"}/${encodeURIComponent(line.slug)}`}
            >
              {line.name}
            </a>
          )}
        </strong>
        {choice && <p class="hint">{choice}</p>}
        <LineTime shop={shop} line={line} />
        <PlanTerms shop={shop} line={line} />
        <p class="hint">{formatPrice(line.unit_price, shop.business)} each</p>
        <div class="line-actions">
          <PostForm action={`${shop.path}/cart`} marks={marks} class="inline">
            <input type="hidden" name="line" value={line.id} />
            <label class="visually-hidden" for={field}>
              Quantity of {line.name}
            </label>
            <input
              id={field}
              class="small"
              name="quantity"
              type="number"
              inputmode="numeric"
              min={0}
              max={100}
              required
              value={form.values[field] ?? String(line.quantity)}
              {...errorMarks(field, form)}
            />
            <button type="submit" class="plain" name="action" value="quantity">
              Update<span class="visually-hidden"> {line.name}</span>
            </button>
            <button type="submit" class="text" name="action" value="remove">
              Remove<span class="visually-hidden"> {line.name}</span>
            </button>
            <FieldNotes name={field} form={form} />
          </PostForm>
        </div>
      </div>
      <p class="amount">{formatPrice(line.line_total, shop.business)}</p>
    </li>
  );
};

type SummaryProps = PartProps & Readonly<{ options: readonly DeliveryOption[] }>;

const CartSummary = ({ shop, cart, options, marks, form }: SummaryProps) => (
  <section class="summary" aria-labelledby="summary">
    <h2 id="summary">Summary</h2>
    {options.length > 0 && (
      <PostForm action={`${shop.path}/cart`} marks={marks}>
        <fieldset>
          <legend>Delivery</legend>
          <DeliveryChoices
            shop={shop}
            options={options}
            chosen={cart.delivery?.option_id ?? null}
          />
        </fieldset>
        <button type="submit" class="plain" name="action" value="delivery">
          {cart.delivery === null ? "Choose delivery" : "Change delivery"}
        </button>
      </PostForm>
    )}
    {cart.coupons.map(({ code, name }) => (
      <PostForm action={`${shop.path}/cart`} marks={marks} class="coupon">
        <input type="hidden" name="code" value={code} />
        <span>
          <strong>{code}</strong> <span class="hint">{name}</span>
        </span>
        <button type="submit" class="text" name="action" value="remove_code">
          Remove<span class="visually-hidden"> the code {code}</span>
        </button>
      </PostForm>
    ))}
    <details open={form.errors.code !== undefined}>
      <summary>Discount code</summary>
      <PostForm action={`${shop.path}/cart`} marks={marks} class="inline">
        <label class="visually-hidden" for="code">
          Discount code
        </label>
        <input
          id="code"
          name="code"
          maxlength={100}
          autocomplete="off"
          required
          value={form.values.code ?? ""}
          aria-invalid={form.errors.code ? "true" : undefined}
          aria-describedby={form.errors.code ? "code-error" : undefined}
        />
        <button type="submit" class="plain" name="action" value="add_code">
          Apply
        </button>
        <FieldNotes name="code" form={form} />
      </PostForm>
    </details>
    <Totals shop={shop} amounts={cart.pricing} delivery={deliveryName(cart)} />
    <a class="button wide" href={`${shop.path}/checkout`}>
      Go to checkout
    </a>
    <p class="hint">You need no account.</p>
  </section>
);
