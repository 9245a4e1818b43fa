type Level = "info" | "warn" | "error";

export type Facts = Readonly<Record<string, unknown>>;

/**
 * Writes one JSON line to the log. `facts` must contain no personal data, keys, tokens or one-time
 * codes. Name records by their ids, and calls by the path pattern of their route.
 *
 * @param event a short fixed text that says what happened, so that log lines can be counted.
 */
export function log(level: Level, event: string, facts: Facts = {}): void {
  console[level](JSON.stringify({ level, what: event, ...facts }));
}
