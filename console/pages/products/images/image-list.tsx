import { useState } from "react";
import { useShop } from "../../../api/shop.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Thumbnail } from "../../../ui/thumbnail.tsx";
import { useChange } from "../../../ui/use-change.ts";
import type { ProductRecord } from "../product.tsx";

type Image = ProductRecord["images"][number];

type ImageListProps = Readonly<{ productId: string; name: string; images: readonly Image[] }>;

/** The images of a product in their order, which dragging or the buttons change. */
export function ImageList({ productId, name, images }: ImageListProps) {
  const { api, can } = useShop();
  const change = useChange();
  const [draggedId, setDraggedId] = useState<string | null>(null);
  const mayWrite = can("catalogue:write");
  const move = (id: string, place: number) =>
    void change.run(
      () => api.products.updateImage(productId, id, { position: place + 1 }),
      `The image is now number ${place + 1}.`,
    );
  return (
    <ul className="image-grid">
      {images.map((image, place) => (
        <li
          key={image.id}
          className={draggedId === image.id ? "dragged" : undefined}
          draggable={mayWrite && images.length > 1}
          onDragStart={() => setDraggedId(image.id)}
          onDragEnd={() => setDraggedId(null)}
          onDragOver={(event) => {
            if (draggedId !== null) event.preventDefault();
          }}
          onDrop={(event) => {
            if (draggedId === null) return; // files are for the card
            event.preventDefault();
            event.stopPropagation();
            if (draggedId !== image.id) move(draggedId, place);
          }}
        >
          <Thumbnail url={image.url} alt={`${name}, image ${place + 1}`} isLarge />
          {image.is_primary && <span className="small muted">Shown in lists</span>}
          {mayWrite && (
            <ImageActions
              image={image}
              place={place}
              count={images.length}
              isBusy={change.isBusy}
              onMove={(to) => move(image.id, to)}
              onChoose={() =>
                void change.run(
                  () => api.products.updateImage(productId, image.id, { is_primary: true }),
                  "Lists show this image.",
                )
              }
              onRemove={() =>
                void change.run(
                  () => api.products.removeImage(productId, image.id),
                  "The image is removed.",
                )
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type ImageActionsProps = Readonly<{
  image: Image;
  place: number;
  count: number;
  isBusy: boolean;
  onMove: (place: number) => void;
  onChoose: () => void;
  onRemove: () => void;
}>;

function ImageActions({
  image,
  place,
  count,
  isBusy,
  onMove,
  onChoose,
  onRemove,
}: ImageActionsProps) {
  const number = place + 1;
  return (
    <div className="row image-actions">
      {count > 1 && (
        <>
          <IconButton
            icon="left"
            label={`Move image ${number} forward`}
            disabled={isBusy || place === 0}
            onClick={() => onMove(place - 1)}
          />
          <IconButton
            icon="right"
            label={`Move image ${number} back`}
            disabled={isBusy || place === count - 1}
            onClick={() => onMove(place + 1)}
          />
        </>
      )}
      {!image.is_primary && (
        <IconButton
          icon="star"
          label={`Show image ${number} in lists`}
          disabled={isBusy}
          onClick={onChoose}
        />
      )}
      <IconButton
        icon="trash"
        label={`Remove image ${number}`}
        disabled={isBusy}
        onClick={onRemove}
      />
    </div>
  );
}
