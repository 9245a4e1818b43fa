/**
 * An error's stack and those of its causes, for the log. Of a failed query the text stays and the
 * parameters go: they are what people typed.
 */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = withoutParameters(error.stack ?? error.message);
  return error.cause ? `${own}\ncaused by ${stackOf(error.cause)}` : own;
}

/** Drizzle ends its message with a line (or more, where a value has some) of parameters. */
const withoutParameters = (stack: string): string =>
  stack.replace(/\nparams: [\s\S]*?(?=\n {4}at |$(?![\s\S]))/, "");
