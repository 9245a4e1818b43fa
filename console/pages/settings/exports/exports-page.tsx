import { useShop } from "../../../api/shop.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ExportsCard } from "./exports-card.tsx";
import { ImportCard } from "./import-card.tsx";

/** Everything of the shop in a file, and such a file into an empty shop. */
export function ExportsPage() {
  const { can } = useShop();
  if (!can("*")) {
    return (
      <div className="card">
        <EmptyState icon="audit" title="This page is for owners">
          <p className="muted">A file of the shop names every customer.</p>
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <ExportsCard />
      <ImportCard />
    </>
  );
}
