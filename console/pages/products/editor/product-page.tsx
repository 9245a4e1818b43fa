import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { useRecordForm } from "../../../api/use-record-form.ts";
import { ArchiveButton } from "../../../ui/archive-button.tsx";
import { changedFields } from "../../../ui/changed-fields.ts";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHead } from "../../../ui/page.tsx";
import { ActiveBadge, type ProductRecord, ProductTypeBadge } from "../product.tsx";
import { toProductFields, toProductValues } from "../product-values.ts";
import { ImagesCard } from "./images-card.tsx";
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
      <PartsNotice type={product.product_type} />
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
function PartsNotice({ type }: Readonly<{ type: ProductRecord["product_type"] }>) {
  if (type !== "bundle" && type !== "composite") return null;
  return (
    <p className="notice">
      <span>
        {type === "bundle" ? "What it contains is changed in " : "Its choices are changed in "}
        <Link
          to={type === "bundle" ? "/$businessId/bundles" : "/$businessId/composites"}
          from="/$businessId"
        >
          {type === "bundle" ? "Bundles" : "Composites"}
        </Link>
        .
      </span>
    </p>
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
