import type { ReactNode } from "react";
import { useShop } from "../../../api/shop.ts";
import { ArchiveButton } from "../../../ui/archive-button.tsx";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { PageHead } from "../../../ui/page.tsx";
import type { Form, FormPart } from "../../../ui/use-form.ts";
import { ImagesCard } from "../images/images-card.tsx";
import { ActiveBadge, type ProductRecord } from "../product.tsx";
import type { ProductValues } from "../product-values.ts";
import { ProductCards } from "./product-cards.tsx";

type AssembledEditorProps<V> = Readonly<{
  record: Pick<ProductRecord, "name" | "is_active" | "images"> & Readonly<{ product_id: string }>;
  form: Form<V> & FormPart<ProductValues>;
  /** What it is made of. */
  parts: ReactNode;
  price: ReactNode;
  /** What is said before it is archived. */
  archiveText: string;
  archive: () => Promise<unknown>;
  onArchived: () => Promise<void>;
  onDiscard: () => void;
}>;

/** The editor of a bundle or a composite: of its product, and of what that is made of. */
export function AssembledEditor<V>({
  record,
  form,
  parts,
  price,
  archiveText,
  archive,
  onArchived,
  onDiscard,
}: AssembledEditorProps<V>) {
  const isReadOnly = !useShop().can("catalogue:write");
  const { product_id: productId, name, images } = record;
  return (
    <>
      <PageHead title={name} badges={<ActiveBadge isActive={record.is_active} />}>
        {!isReadOnly && (
          <ArchiveButton name={name} archive={archive} onArchived={onArchived}>
            {archiveText}
          </ArchiveButton>
        )}
      </PageHead>
      <EditorForm form={form} action="Save" isReadOnly={isReadOnly} onDiscard={onDiscard}>
        <ProductCards
          form={form}
          productId={productId}
          parts={parts}
          price={price}
          images={<ImagesCard productId={productId} name={name} images={images} />}
        />
      </EditorForm>
    </>
  );
}
