import { useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { useRecordForm } from "../../../api/use-record-form.ts";
import { ArchiveButton } from "../../../ui/archive-button.tsx";
import { changedFields } from "../../../ui/changed-fields.ts";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHead } from "../../../ui/page.tsx";
import { ImagesCard } from "../images/images-card.tsx";
import { ActiveBadge, type ProductRecord, ProductTypeBadge } from "../product.tsx";
import { ProductLink } from "../product-link.tsx";
import { toProductFields, toProductValues } from "../product-values.ts";
import { ProductCards } from "./product-cards.tsx";
import "../products.css";

/** One product with all that can be changed about it. */
export function ProductPage() {
  const { api } = useShop();
  const { productId } = useParams({ from: "/$businessId/products/$productId" });
  const query = useRecord({
    key: ["products", productId],
    get: (options) => api.products.get(productId, options),
  });
  return (
    <Loaded query={query}>
      {(product) => <ProductEditor key={product.id} product={product} />}
    </Loaded>
  );
}

function ProductEditor({ product }: Readonly<{ product: ProductRecord }>) {
  const { api, can } = useShop();
  const form = useRecordForm({
    key: ["products", product.id],
    record: product,
    toValues: toProductValues,
    async save(values, first) {
      const fields = changedFields(toProductFields(first), toProductFields(values));
      return (await api.products.update(product.id, fields)).data;
    },
  });
  return (
    <>
      <PageHead
        title={product.name}
        badges={
          <>
            <ActiveBadge isActive={product.is_active} />
            <ProductTypeBadge type={product.product_type} />
          </>
        }
      >
        {can("catalogue:write") && <ArchiveProduct product={product} />}
      </PageHead>
      <PartsNotice product={product} />
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={!can("catalogue:write")}
        onDiscard={() => form.reset(toProductValues(product))}
      >
        <ProductCards
          form={form}
          productId={product.id}
          images={<ImagesCard productId={product.id} name={product.name} images={product.images} />}
        />
      </EditorForm>
    </>
  );
}

/** Says where the parts of a product are changed that is made of others. */
function PartsNotice({ product }: Readonly<{ product: ProductRecord }>) {
  const isMade = product.bundle_id !== null || product.composite_id !== null;
  return (
    isMade && (
      <p className="notice">
        <span>
          {product.bundle_id !== null ? "What it contains" : "What shoppers choose from"} is changed
          on a page of its own: <ProductLink product={product} />.
        </span>
      </p>
    )
  );
}

function ArchiveProduct({ product }: Readonly<{ product: ProductRecord }>) {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId/products/$productId" });
  return (
    <ArchiveButton
      name={product.name}
      archive={() => api.products.archive(product.id)}
      onArchived={() => navigate({ to: "/$businessId/products", ignoreBlocker: true })}
    >
      It leaves the shop and the list of products for good. Orders that have it keep it.
    </ArchiveButton>
  );
}
