import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { VisitedShop } from "../shop/open-shop.ts";
import { formatPrice, isPositive } from "./format.ts";

/** The amounts of a cart or an order. */
type Amounts = Readonly<{
  subtotal: string;
  discounts: readonly Readonly<{ name: string; code: string | null; amount: string }>[];
  delivery_total: string;
  tax_total: string;
  tax_lines: readonly StorefrontSchemas["TaxLine"][];
  total_price: string;
}>;

type TotalsProps = Readonly<{
  shop: VisitedShop;
  amounts: Amounts;
  /** What the row of the delivery says; null when nothing is delivered. */
  delivery: string | null;
}>;

/** What makes up a total. */
export const Totals = ({ shop: { business }, amounts, delivery }: TotalsProps) => {
  const price = (amount: string) => formatPrice(amount, business);
  return (
    <dl class="totals">
      <Row name="Subtotal" amount={price(amounts.subtotal)} />
      {amounts.discounts.map(({ name, code, amount }) => (
        <Row name={code === null ? name : `${name} (${code})`} amount={`−${price(amount)}`} />
      ))}
      {delivery !== null && (
        <Row
          name={delivery}
          amount={isPositive(amounts.delivery_total) ? price(amounts.delivery_total) : "Free"}
        />
      )}
      {isTaxIncluded(amounts) || taxRows(amounts, price)}
      <div class="total">
        <dt>Total</dt>
        <dd>{price(amounts.total_price)}</dd>
      </div>
      {isTaxIncluded(amounts) && taxRows(amounts, price, "including ")}
    </dl>
  );
};

const Row = ({ name, amount }: Readonly<{ name: string; amount: string }>) => (
  <div>
    <dt>{name}</dt>
    <dd>{amount}</dd>
  </div>
);

const taxRows = ({ tax_lines: lines }: Amounts, price: (amount: string) => string, prefix = "") =>
  lines
    .filter(({ amount }) => isPositive(amount))
    .map(({ name, rate_percent: rate, amount }) => (
      <Row name={`${prefix}${name} ${rate}%`} amount={price(amount)} />
    ));

/** Whether prices contain the tax: then the total is reached without it. */
function isTaxIncluded({ subtotal, discounts, delivery_total, tax_total, total_price }: Amounts) {
  const discount = discounts.reduce((sum, { amount }) => sum + Number(amount), 0);
  const withoutTax = Number(subtotal) - discount + Number(delivery_total);
  return isPositive(tax_total) && Math.abs(withoutTax - Number(total_price)) < 0.0005;
}
