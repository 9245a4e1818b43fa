import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { endOfDay, startOfDay } from "../../../shared/orders/index.ts";
import { queryInstant } from "../../wire/fields.ts";
import { day } from "./fields.ts";

/** Where a time that is asked for begins or ends: a calendar day of the business's time zone, or an instant. */
export const bound = () =>
  z.union([day(), queryInstant()], { error: "must be a day, or an ISO 8601 time with an offset" });

type Bound = z.infer<ReturnType<typeof bound>>;
type Zoned = Pick<Business, "timezone">;

/** The first instant of what begins there. */
export const beginningOf = (from: Bound, { timezone }: Zoned): number =>
  typeof from === "string" ? startOfDay(from, timezone) : from;

/** The instant up to, and without, which it lasts; a day lasts whole. */
export const endOf = (to: Bound, { timezone }: Zoned): number =>
  typeof to === "string" ? endOfDay(to, timezone) : to;

/** What a list is narrowed to, in which both ends count. */
export const within = (
  { from, to }: Readonly<{ from?: Bound | undefined; to?: Bound | undefined }>,
  business: Zoned,
): { from: number | undefined; to: number | undefined } => ({
  from: from === undefined ? undefined : beginningOf(from, business),
  to: typeof to === "string" ? endOf(to, business) - 1 : to,
});
