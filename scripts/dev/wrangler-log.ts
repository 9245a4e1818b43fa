import { stripVTControlCharacters } from "node:util";

const wranglerNoise = [
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
  /\bGET \/healthz 200\b/, // this command's own checks
  /Parsed \d+ valid header rules/,
  // Hides the Workers' own request lines, because wrangler prints a line for each request too.
  /^(?:\[[\w-]+\] )?\{"level":"info","what":"(?:request|batch|jobs)",/,
  /^Service bindings, Durable Object bindings, and Tail consumers connect to other/,
];

/** Whether a log line is about wrangler itself and not about the Workers. */
export function isNoise(line: string): boolean {
  const text = stripVTControlCharacters(line);
  return wranglerNoise.some((pattern) => pattern.test(text));
}

export const isError = (line: string): boolean =>
  stripVTControlCharacters(line).includes("[ERROR]");
