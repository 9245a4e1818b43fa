import { env } from "cloudflare:workers";
import { type CreatedBusiness, weekdays } from "../../shared/businesses/index.ts";

/** A business's limits raised far above what a test asks in a second, before anybody knows it. */
export const withoutLimits = ({ business }: CreatedBusiness) =>
  env.CORE.prepare("update businesses set settings = ? where id = ?")
    .bind(
      JSON.stringify({
        ...business.settings,
        rateLimits: {
          publicPerSecondPerAddress: 10_000,
          publicPerMinute: 100_000,
          secretPerSecond: 10_000,
        },
      }),
      business.id,
    )
    .run();

/** A business's locations open around the clock, before anybody knows it: there is a slot at every hour. */
export function alwaysOpen({ business }: CreatedBusiness) {
  const allDay = [{ open: "00:00", close: "23:59" }];
  const hours = Object.fromEntries(weekdays.map((day) => [day, allDay]));
  return env.CORE.prepare("update locations set operating_hours = ? where business_id = ?")
    .bind(JSON.stringify(hours), business.id)
    .run();
}
