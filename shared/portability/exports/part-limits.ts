import { second } from "../../kernel/index.ts";

/** A part is stored when it has as many characters, or when its time is used up. */
export const charactersPerPart = 2_000_000;
export const maxPartMs = 5 * second;

/** A line of a file, and the table that counts it. */
export type FoundLine = Readonly<{ table: string; line: string }>;
