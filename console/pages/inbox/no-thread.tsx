import { EmptyState } from "../../ui/empty-state.tsx";

/** Shown beside the list while no chat is open. */
export const NoThread = () => (
  <EmptyState icon="inbox" title="No chat is open">
    <p className="muted">Choose one from the list.</p>
  </EmptyState>
);
