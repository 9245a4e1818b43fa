export type Tone = "neutral" | "success" | "warning" | "danger" | "info";

/** A short state, such as that of an order. The text says it; the colour repeats it. */
export const Badge = ({
  tone = "neutral",
  children,
}: Readonly<{ tone?: Tone; children: string }>) => (
  <span className={`badge ${tone}`}>{children}</span>
);
