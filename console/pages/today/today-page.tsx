import type { BusinessSchemas } from "@duka/sdk/business";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { Figures } from "./figures.tsx";
import { LowStockCard, UpcomingCard } from "./next-cards.tsx";
import { SalesCard } from "./sales-card.tsx";
import "./today.css";

export type Today = BusinessSchemas["Today"];

const refreshMs = 30_000;

/** What a merchant looks at first, in one call. */
export function TodayPage() {
  const { api } = useShop();
  const query = useRecord({
    key: ["today"],
    get: (options) => api.reports.getToday(options),
    refreshMs,
  });
  return (
    <>
      <PageHead title="Today" />
      <Loaded query={query}>{(today) => <TodayView today={today} />}</Loaded>
    </>
  );
}

function TodayView({ today }: Readonly<{ today: Today }>) {
  const format = useFormat();
  const { sales, bookings, low_stock: lowStock } = today;
  return (
    <>
      <p className="muted">{format.day(today.date)}</p>
      <Figures today={today} />
      <div className="columns">
        {sales && <SalesCard sales={sales} />}
        <div className="stack">
          {bookings && bookings.total > 0 && <UpcomingCard bookings={bookings} />}
          {lowStock && lowStock.total > 0 && <LowStockCard lowStock={lowStock} />}
        </div>
      </div>
    </>
  );
}
