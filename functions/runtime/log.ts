type Level = "info" | "warn" | "error";

export type Facts = Readonly<Record<string, unknown>>;

/**
 * One line for whoever watches the logs, as JSON. No personal data, keys, tokens or codes among its
 * facts: records are named by their ids, calls by the path of their row.
 *
 * @param what the event in a few words; fixed, so that lines can be counted by it.
 */
export function log(level: Level, what: string, facts: Facts = {}): void {
  console[level](JSON.stringify({ level, what, ...facts }));
}
