/**
 * esbuild's description of a build: what each file imports, and how many bytes of the output it
 * takes.
 */
type Metafile = Readonly<{
  inputs: Readonly<Record<string, Readonly<{ imports: readonly ModuleImport[] }>>>;
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

type ModuleImport = Readonly<{ path: string; kind: string; external?: boolean }>;

/**
 * The bytes of script that a Worker evaluates at start-up: its entry point and all static imports.
 * A module that is only loaded with `import()` is evaluated later and not counted.
 */
export function startupScriptBytes({ inputs, outputs }: Metafile): number {
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const paths = new Set([output?.entryPoint ?? ""]);
  let bytes = 0;
  for (const path of paths) {
    bytes += output?.inputs[path]?.bytesInOutput ?? 0;
    for (const { path: imported, kind, external } of inputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) paths.add(imported);
  }
  return bytes;
}
