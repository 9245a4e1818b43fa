/** What esbuild tells of a build: which file imports which, and what of each is in the output. */
type Metafile = Readonly<{
  inputs: Readonly<Record<string, Readonly<{ imports: readonly Imported[] }>>>;
  outputs: Readonly<
    Record<
      string,
      Readonly<{
        entryPoint?: string;
        inputs: Readonly<Record<string, Readonly<{ bytesInOutput: number }>>>;
      }>
    >
  >;
}>;

type Imported = Readonly<{ path: string; kind: string; external?: boolean }>;

/**
 * Bytes of script that a Worker evaluates when it starts: its entry and all that this imports. What
 * is behind an `import()` waits until that is called.
 */
export function scriptAtStart({ inputs, outputs }: Metafile): number {
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const reached = new Set([output?.entryPoint ?? ""]);
  let bytes = 0;
  for (const path of reached) {
    bytes += output?.inputs[path]?.bytesInOutput ?? 0;
    for (const { path: next, kind, external } of inputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) reached.add(next);
  }
  return bytes;
}
