/**
 * The stacks of an error and its causes, for the log. The parameters of a failed query are removed,
 * because they may contain personal data.
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = withoutParameters(error.stack ?? error.message);
  return error.cause ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

/**
 * Removes the query's parameters, with which Drizzle's message ends. They may span several lines.
 */
const withoutParameters = (stack: string): string =>
  stack.replace(/\nparams: [\s\S]*?(?=\n {4}at |$(?![\s\S]))/, "");
