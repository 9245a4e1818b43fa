import { env } from "cloudflare:workers";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { weekdays } from "../../shared/kernel/index.ts";

/**
 * Raises a business's rate limits far above the request rate of a test. Call it before the first
 * request: isolates cache the settings.
 */
export const raiseRateLimits = ({ business }: CreatedBusiness) =>
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

/**
 * Opens all locations around the clock, so that every hour has a slot. Call it before the first
 * request: isolates cache the locations.
 */
export function openAllLocationsAllDay({ business }: CreatedBusiness) {
  const allDay = [{ open: "00:00", close: "23:59" }];
  const hours = Object.fromEntries(weekdays.map((day) => [day, allDay]));
  return env.CORE.prepare("update locations set operating_hours = ? where business_id = ?")
    .bind(JSON.stringify(hours), business.id)
    .run();
}
