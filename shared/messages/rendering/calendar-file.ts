import { utf8Bytes } from "../../kernel/index.ts";
import { type Attachment, displayName } from "../../messaging/index.ts";
import type { Booking } from "../../scheduling/index.ts";

type CalendarEntry = Readonly<{
  booking: Pick<Booking, "id" | "startTime" | "endTime" | "serviceName" | "status" | "version">;
  businessName: string;
  /** The address for answers; null in a deployment without an address of its own. */
  organizerEmail: string | null;
  place: string | null;
  stampedAt: number;
}>;

/**
 * A booking as an iCalendar file (RFC 5545), with the organizer that RFC 5546 requires. Its UID stays the same and its SEQUENCE grows, so that a
 * moved or cancelled booking replaces the entry of the message before.
 */
export function calendarFile({
  booking,
  businessName,
  organizerEmail,
  place,
  stampedAt,
}: CalendarEntry): Attachment {
  const isCancelled = booking.status === "cancelled";
  const method = isCancelled ? "CANCEL" : "PUBLISH";
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Duka//Bookings//EN",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    `UID:${booking.id}`,
    `SEQUENCE:${booking.version}`,
    `DTSTAMP:${calendarTime(stampedAt)}`,
    `DTSTART:${calendarTime(booking.startTime)}`,
    `DTEND:${calendarTime(booking.endTime)}`,
    `SUMMARY:${calendarText(`${booking.serviceName}, ${businessName}`)}`,
    ...(organizerEmail === null
      ? []
      : [`ORGANIZER;CN="${displayName(businessName)}":mailto:${organizerEmail}`]),
    ...(place === null ? [] : [`LOCATION:${calendarText(place)}`]),
    `STATUS:${isCancelled ? "CANCELLED" : "CONFIRMED"}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return {
    filename: "booking.ics",
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: `${lines.flatMap(foldLine).join("\r\n")}\r\n`,
  };
}

const calendarTime = (at: number): string =>
  new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");

const calendarText = (text: string): string =>
  text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n?|\n/g, "\\n")
    .replace(/\p{Cc}/gu, "");

const maxLineBytes = 74;

/** Splits a line of more than 75 bytes; the next ones begin with a blank. */
function foldLine(line: string): string[] {
  const folded = [""];
  for (const character of line) {
    const current = folded.at(-1) ?? "";
    if (utf8Bytes(current + character) <= maxLineBytes)
      folded[folded.length - 1] = current + character;
    else folded.push(` ${character}`);
  }
  return folded;
}
