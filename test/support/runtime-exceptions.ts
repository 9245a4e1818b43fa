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
  const isPrinted = (text: string): boolean => {
    if (!isException(text)) return true;
    if (isUnexpectedException(text)) unexpected.push(text);
    return isUnexpectedException(text);
  };
  const stopFilters = [process.stdout, process.stderr].map((one) => filterWrites(one, isPrinted));
  return () => {
    for (const stopFilter of stopFilters) stopFilter();
    if (unexpected.length === 0) return;
    process.exitCode = 1;
    console.error(
      styleText("red", `The run fails: ${unexpected.length} exceptions that no code has caught.`),
    );
    for (const text of unexpected) console.error(text.slice(0, 500));
  };
}

/** Writes only what is to be printed. The plugin writes each message of workerd with one call. */
function filterWrites(
  stream: NodeJS.WriteStream,
  isPrinted: (text: string) => boolean,
): () => void {
  const native = stream.write;
  let write = native;
  const filteredWrite = new Proxy(native, {
    apply: (_, self, args) =>
      isPrinted(String(args[0])) ? Reflect.apply(write, self, args) : true,
  });
  // Vitest's reporter replaces the method while tests run, and must not bypass this one.
  Object.defineProperty(stream, "write", {
    configurable: true,
    get: () => filteredWrite,
    set(replacement: typeof native) {
      write = replacement === filteredWrite ? native : replacement;
    },
  });
  return () => {
    Object.defineProperty(stream, "write", { configurable: true, writable: true, value: write });
  };
}
