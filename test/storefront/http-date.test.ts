import { describe, expect, it } from "vitest";
import { parseHttpDate } from "../../functions/storefront/files/http-date.ts";

const now = Date.parse("2026-11-22T00:00:00Z");
const parse = (text: string) => {
  const time = parseHttpDate(text, now);
  return time === null ? null : new Date(time).toISOString();
};

describe("parseHttpDate (RFC 9110, 5.6.7)", () => {
  it.each([
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
  ])("parses %s, in each of the three formats", (text) => {
    expect(parse(text)).toBe("1994-11-06T08:49:37.000Z");
  });

  it.each([
    ["Sunday, 22-Nov-76 00:00:00 GMT", "2076-11-22T00:00:00.000Z"],
    ["Tuesday, 22-Nov-77 00:00:00 GMT", "1977-11-22T00:00:00.000Z"],
  ])("reads %s as at most 50 years ahead", (text, time) => {
    expect(parse(text)).toBe(time);
  });

  it.each([
    "2026-11-22T00:00:00Z",
    "tomorrow",
    "Sun, 06 Nov 1994 08:49:37 +0100",
    "Sun, 30 Feb 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:61:37 GMT",
    " Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
  ])("refuses %j", (text) => {
    expect(parse(text)).toBe(null);
  });
});
