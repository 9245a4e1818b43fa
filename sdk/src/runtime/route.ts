/** One operation: its method, its path with `{}` for each parameter, and how its input is sent. */
export type Route = Readonly<{
  method: string;
  path: string;
  /** The input's fields that are sent in the query string of a call with a body. */
  queryNames: readonly string[];
  flags: ReadonlySet<string>;
}>;

/**
 * Parses a route as the generator writes it, such as `POST /orders/{}/pay?token body key session`.
 * `?` says that there is a query. A route with a body names the fields that belong to the query.
 */
export function parseRoute(text: string): Route {
  const [method = "", target = "", ...flags] = text.split(" ");
  const [path = "", names] = target.split("?");
  if (names !== undefined) flags.push("query");
  return { method, path, queryNames: names ? names.split(",") : [], flags: new Set(flags) };
}

/** The flags of the kinds of body that an operation takes. */
const bodyFlags = ["body", "form", "csv", "ndjson"] as const;

export const hasBody = ({ flags }: Route): boolean => bodyFlags.some((flag) => flags.has(flag));

export type Input = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** What a method was called with: the path's parameters, the input if it takes one, and options. */
export function readArguments(
  route: Route,
  args: readonly unknown[],
): { path: string; input: Input; options: unknown } {
  let count = 0;
  const path = route.path.replace(/\{\}/g, () => encodeURIComponent(String(args[count++])));
  const input = hasBody(route) || route.flags.has("query") ? args[count++] : undefined;
  return { path, input: isRecord(input) ? input : {}, options: args[count] };
}

/** The input as query and body. Fields that are undefined are left out. */
export function splitInput(route: Route, input: Input): { query: string; body: Input } {
  const query: string[] = [];
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (hasBody(route) && !route.queryNames.includes(name)) body[name] = value;
    else if (value !== null) query.push([name, String(value)].map(encodeURIComponent).join("="));
  }
  return { query: query.length > 0 ? `?${query.join("&")}` : "", body };
}
