import { useFormat } from "../../ui/use-format.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** The days that a report covers: those of the URL, otherwise the last 30. */
export function usePeriod({ from, to }: Readonly<{ from?: string; to?: string }>): Readonly<{
  from: string;
  to: string;
}> {
  const { localDay } = useFormat();
  const now = Date.now();
  return { from: from ?? localDay(new Date(now - 29 * dayMs)), to: to ?? localDay(new Date(now)) };
}
