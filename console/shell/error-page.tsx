import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { LoadError } from "../ui/loading.tsx";

/** Shown when a page could not be rendered or its code could not be loaded. */
export const ErrorPage = ({ error, reset }: ErrorComponentProps) => (
  <LoadError error={toError(error)} onRetry={reset} />
);

export const NotFoundPage = () => (
  <div className="empty">
    <h1>There is no such page</h1>
    <Link to="/">Go to the first page</Link>
  </div>
);

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error("The page could not be shown.");
