import { stripVTControlCharacters } from "node:util";

const noise = [
  /^\s*$/,
  /Using secrets defined in/,
  /has access to the following bindings:$/,
  /^Binding\s+Resource\s+Mode/,
  /^env\.\S+ .*(local|remote)/,
  /^⎔ /,
  /Scheduled Workers are not automatically triggered/,
  /To manually trigger a scheduled event/,
  /curl "http.*\/cdn-cgi\//,
  /cron-triggers\/#test-cron-triggers-locally/,
  /\/cdn-cgi\/local\/scheduled/,
  /Ready on http/,
  /Parsed \d+ valid header rules/,
  /^\{"level":"info","what":"(?:request|batch|jobs)",/, // wrangler's own lines tell of calls
  /^Service bindings, Durable Object bindings, and Tail consumers connect to other/,
];

/** Whether a line of wrangler's tells of wrangler rather than of the Workers. */
export function isNoise(line: string): boolean {
  const text = stripVTControlCharacters(line);
  return noise.some((pattern) => pattern.test(text));
}

export const isError = (line: string): boolean =>
  stripVTControlCharacters(line).includes("[ERROR]");
