import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Thumbnail } from "../../ui/thumbnail.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { ArchiveCategoryDialog, CategoryDialog } from "./category-dialog.tsx";
import { type CategoryNode, useCategories } from "./category-tree.ts";
import "./categories.css";

type CategoryDialogState =
  | Readonly<{ kind: "new"; parent: CategoryNode | null }>
  | Readonly<{ kind: "edit" | "archive"; node: CategoryNode }>;

/** The tree of categories in which shoppers browse. */
export function CategoriesPage() {
  const { can } = useShop();
  const query = useCategories();
  const [dialog, setDialog] = useState<CategoryDialogState | null>(null);
  const close = () => setDialog(null);
  const mayWrite = can("catalogue:write");
  return (
    <>
      <PageHead title="Categories">
        {mayWrite && (
          <Button
            icon="plus"
            look="primary"
            onClick={() => setDialog({ kind: "new", parent: null })}
          >
            New category
          </Button>
        )}
      </PageHead>
      <div className="card">
        <Loaded query={query}>
          {(nodes) =>
            nodes.length === 0 ? (
              <EmptyState icon="products" title="No categories yet">
                <p className="muted">Categories let shoppers browse. They can lie in each other.</p>
              </EmptyState>
            ) : (
              <ul className="tree">
                {nodes.map((node) => (
                  <TreeRow
                    key={node.category.id}
                    node={node}
                    mayWrite={mayWrite}
                    onOpen={setDialog}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {dialog?.kind === "new" && (
        <CategoryDialog node={null} parent={dialog.parent} onClose={close} />
      )}
      {dialog?.kind === "edit" && (
        <CategoryDialog node={dialog.node} parent={null} onClose={close} />
      )}
      {dialog?.kind === "archive" && <ArchiveCategoryDialog node={dialog.node} onClose={close} />}
    </>
  );
}

type TreeRowProps = Readonly<{
  node: CategoryNode;
  mayWrite: boolean;
  onOpen: (dialog: CategoryDialogState) => void;
}>;

function TreeRow({ node, mayWrite, onOpen }: TreeRowProps) {
  const format = useFormat();
  const { category, depth } = node;
  return (
    <li style={{ paddingInlineStart: `calc(${depth} * var(--space-5) + var(--space-4))` }}>
      <Thumbnail url={category.image_url} />
      <div className="tree-name">
        <strong>{category.name}</strong>
        <Link
          className="small"
          to="/$businessId/products"
          from="/$businessId"
          search={{ category_id: category.id }}
        >
          {format.number(category.product_count)}{" "}
          {category.product_count === 1 ? "product" : "products"}
        </Link>
      </div>
      {mayWrite && (
        <div className="row">
          <IconButton
            icon="plus"
            label={`Add a category below ${category.name}`}
            onClick={() => onOpen({ kind: "new", parent: node })}
          />
          <IconButton
            icon="edit"
            label={`Change ${category.name}`}
            onClick={() => onOpen({ kind: "edit", node })}
          />
          <IconButton
            icon="trash"
            label={`Archive ${category.name}`}
            onClick={() => onOpen({ kind: "archive", node })}
          />
        </div>
      )}
    </li>
  );
}
