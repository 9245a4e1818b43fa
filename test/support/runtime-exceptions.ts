import { styleText } from "node:util";

/** Exceptions that tests cause on purpose, and how. */
const expectedExceptions: readonly Readonly<{ text: RegExp; cause: string }>[] = [
  { text: /\bThe object died\./, cause: "a test ends the process of an object" },
  {
    text: / stack = .*\n\s+at (?:.* \()?\S*\/test\//,
    cause: "a test's stub throws into an object",
  },
  { text: /\bNetwork connection lost\./, cause: "a test's server ends its connections" },
  { text: /^exception = \S+ disconnected: /, cause: "a test's server or client disconnects" },
  {
    text: /Can't read from request stream because client disconnected\./,
    cause: "a request is refused before its body is read",
  },
];

const isException = (text: string): boolean => /^(?:uncaught exception; |exception = )/.test(text);

/** Whether no test causes this exception, so that it is an error of the code. */
export const isUnexpectedException = (text: string): boolean =>
  isException(text) && !expectedExceptions.some((expected) => expected.text.test(text));

/**
 * Watches what workerd writes about exceptions that no code has caught. Those that tests cause are
 * not printed, and any other fails the run.
 */
export default function watchRuntimeExceptions(): () => void {
  const unexpected: string[] = [];
  const { stderr } = process;
  const write = stderr.write;
  // The plugin writes each message of workerd with one call.
  stderr.write = new Proxy(write, {
    apply(target, self, args) {
      const text = String(args[0]);
      if (isException(text) && !isUnexpectedException(text)) return true;
      if (isException(text)) unexpected.push(text);
      return Reflect.apply(target, self, args);
    },
  });
  return () => {
    stderr.write = write;
    if (unexpected.length === 0) return;
    process.exitCode = 1;
    console.error(
      styleText("red", `The run fails: ${unexpected.length} exceptions that no code has caught.`),
    );
    for (const text of unexpected) console.error(text.slice(0, 500));
  };
}
