import { getCookie, setCookie } from "hono/cookie";
import type { PageContext } from "../env.ts";

/** As long as the API holds a slot (docs/contract/storefront.md#slot-holds). */
const holdMs = 10 * 60_000;
const cookieName = "__Host-holds";
/** A cookie has at most 4 KiB. */
const maxHolds = 20;

/** Until when the lines of this browser are held, by their ids. It says what pages show, no more. */
function readHolds(c: PageContext): ReadonlyMap<string, number> {
  const now = Date.now();
  const holds = (getCookie(c, cookieName) ?? "").split("~").flatMap((text) => {
    const [, line = "", time = ""] = /^(ci_[0-9a-z]+)\.(\d{13})$/.exec(text) ?? [];
    const until = Number(time);
    return line !== "" && until > now && until <= now + holdMs ? [[line, until] as const] : [];
  });
  return new Map(holds);
}

/** When the hold of a line ends; null when it has ended. */
export type HoldEnd = (lineId: string) => string | null;

export function readHoldEnds(c: PageContext): HoldEnd {
  const holds = readHolds(c);
  return (lineId) => {
    const until = holds.get(lineId);
    return until === undefined ? null : new Date(until).toISOString();
  };
}

/** Notes that the slots of these lines have just been held. */
export function noteHolds(
  c: PageContext,
  lines: readonly Readonly<{ id: string; scheduled_start: string | null }>[],
): void {
  const booked = lines.filter(({ scheduled_start: start }) => start !== null);
  if (booked.length === 0) return;
  const until = Date.now() + holdMs;
  const holds = new Map(readHolds(c));
  for (const { id } of booked) {
    holds.delete(id);
    holds.set(id, until);
  }
  const text = [...holds].slice(-maxHolds).map(([line, time]) => `${line}.${time}`);
  setCookie(c, cookieName, text.join("~"), {
    path: "/",
    httpOnly: true,
    secure: true,
    sameSite: "Lax",
    maxAge: holdMs / 1000,
  });
}
