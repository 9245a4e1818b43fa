type Level = "info" | "warn" | "error";

export type Facts = Readonly<Record<string, unknown>>;

/**
 * Writes one JSON line to the log. `facts` must contain no personal data, keys, tokens or codes;
 * records are named by their ids and calls by their route's path.
 *
 * @param event what happened in a few fixed words, so that lines can be counted by it.
 */
export function log(level: Level, event: string, facts: Facts = {}): void {
  console[level](JSON.stringify({ level, what: event, ...facts }));
}
