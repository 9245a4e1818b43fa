import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/**
 * Writes a file that only its owner can read. After a crash it has either its earlier content or all
 * of the new one.
 */
export function writeFileDurably(path: string, content: string): void {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, "w", 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
}
