/**
 * The stack of an error and its causes for the log. The parameters of a failed query are removed,
 * because they are user input.
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = withoutParameters(error.stack ?? error.message);
  return error.cause ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

/** Drizzle's message ends with the parameters, on one or more lines. */
const withoutParameters = (stack: string): string =>
  stack.replace(/\nparams: [\s\S]*?(?=\n {4}at |$(?![\s\S]))/, "");
