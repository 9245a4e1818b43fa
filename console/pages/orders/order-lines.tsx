import { Card } from "../../ui/card.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { Order } from "./order-status.tsx";

type Line = Order["items"][number];

/** The lines of an order and how its total is made up. */
export function OrderLines({ order }: Readonly<{ order: Order }>) {
  const format = useFormat();
  const money = (amount: string) => format.money(amount, order.currency);
  return (
    <Card title="Items" isFlush>
      <ul className="order-lines">
        {order.items.map((line) => (
          <li key={line.id}>
            {line.image_url ? (
              <img className="thumb" src={line.image_url} alt="" loading="lazy" />
            ) : (
              <span className="thumb" />
            )}
            <div>
              <strong>{line.product_name}</strong>
              {line.variant_name && <span className="muted"> · {line.variant_name}</span>}
              {detailsOf(line).map((detail) => (
                <p key={detail} className="small muted">
                  {detail}
                </p>
              ))}
            </div>
            <span className="number muted">
              {line.quantity} × {money(line.unit_price)}
            </span>
            <span className="number">{money(line.total)}</span>
          </li>
        ))}
      </ul>
      <dl className="totals">
        <Total name="Subtotal" amount={money(order.subtotal)} />
        {order.discounts.map(({ deal_id: id, name, code, amount }) => (
          <Total key={id} name={code ? `${name} (${code})` : name} amount={`−${money(amount)}`} />
        ))}
        {Number(order.delivery_total) > 0 && (
          <Total name="Delivery" amount={money(order.delivery_total)} />
        )}
        {order.tax_lines.map(({ name, rate_percent: rate, amount }) => (
          <Total key={`${name} ${rate}`} name={`${name} ${rate} %`} amount={money(amount)} />
        ))}
        <Total name="Total" amount={money(order.total_price)} isFinal />
      </dl>
    </Card>
  );
}

const Total = ({
  name,
  amount,
  isFinal = false,
}: Readonly<{ name: string; amount: string; isFinal?: boolean }>) => (
  <div className={isFinal ? "final" : undefined}>
    <dt>{name}</dt>
    <dd className="number">{amount}</dd>
  </div>
);

const detailsOf = (line: Line): readonly string[] => [
  ...line.add_ons.map(({ group_name, name }) => `${group_name}: ${name}`),
  ...line.contents.map(({ quantity, name, variant_name }) =>
    [`${quantity} × ${name}`, variant_name].filter(Boolean).join(", "),
  ),
  ...(line.special_instructions ? [`“${line.special_instructions}”`] : []),
];
