import { createContext, useContext } from "react";
import type { Format } from "./format.ts";

export const FormatContext = createContext<Format | null>(null);

/** How to write money and times of the shop whose pages are shown. */
export function useFormat(): Format {
  const format = useContext(FormatContext);
  if (format === null) throw new Error("This component must be rendered within a shop's pages.");
  return format;
}
