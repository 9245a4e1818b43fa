import type { Finding } from "./rule.ts";
import { lineAt, type SourceFile } from "./source-tree.ts";

const ambient: readonly RegExp[] = [
  /\bDate\.now\b/g,
  /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g,
  /\bTemporal\.Now\b/g,
  /\bperformance\.now\b/g,
  /\bMath\.random\b/g,
  /\bcrypto\.(?:randomUUID|getRandomValues)\b/g,
  /\bprocess\.env\b/g,
];

/** Where a file reads a clock, randomness or the environment. */
export function ambientIn({ path, bare }: SourceFile): Finding[] {
  return ambient.flatMap((pattern) =>
    [...bare.matchAll(pattern)].map((match) => ({
      file: path,
      line: lineAt(bare, match.index),
      found: `reads ${match[0]}`,
    })),
  );
}
