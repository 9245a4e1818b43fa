import { Button } from "./button.tsx";

/** Grey lines in the place of content that is on its way. */
export const Skeleton = ({ lines = 3 }: Readonly<{ lines?: number }>) => (
  <div className="stack" role="status">
    <span className="visually-hidden">Loading…</span>
    {Array.from({ length: lines }, (_, index) => index).map((line) => (
      <div key={line} className="skeleton" style={{ width: `${90 - (line % 3) * 18}%` }} />
    ))}
  </div>
);

/** Says why content did not load, and lets the reader try again. */
export const LoadError = ({ error, onRetry }: Readonly<{ error: Error; onRetry: () => void }>) => (
  <div className="notice danger" role="alert">
    <span>{error.message}</span>
    <Button onClick={onRetry}>Try again</Button>
  </div>
);
