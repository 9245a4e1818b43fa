import { useId } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Skeleton } from "./loading.tsx";
import { Thumbnail } from "./thumbnail.tsx";

export type Choice = Readonly<{
  id: string;
  name: string;
  detail?: string | undefined;
  /** The address of an image, null for a drawing in its place; left out for none. */
  imageUrl?: string | null | undefined;
}>;

type PickerDialogProps = Readonly<{
  title: string;
  search: string;
  onSearch: (search: string) => void;
  /** The records that match the search; null while they are loaded. */
  choices: readonly Choice[] | null;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  onClose: () => void;
}>;

/** Chooses several records of a list that can be searched. */
export function PickerDialog({
  title,
  search,
  onSearch,
  choices,
  chosen,
  onChange,
  onClose,
}: PickerDialogProps) {
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <input
          className="input"
          type="search"
          aria-label="Search"
          placeholder="Search"
          maxLength={100}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
        <ul className="choices" aria-label={title}>
          {choices === null && <Skeleton lines={5} />}
          {choices?.length === 0 && <li className="muted">Nothing found.</li>}
          {choices?.map((choice) => (
            <li key={choice.id}>
              <label htmlFor={`${id}-${choice.id}`}>
                <input
                  id={`${id}-${choice.id}`}
                  type="checkbox"
                  className="check"
                  checked={chosen.includes(choice.id)}
                  onChange={(event) =>
                    onChange(
                      event.target.checked
                        ? [...chosen, choice.id]
                        : chosen.filter((one) => one !== choice.id),
                    )
                  }
                />
                {choice.imageUrl !== undefined && <Thumbnail url={choice.imageUrl} />}
                <span>{choice.name}</span>
                <span className="small muted">{choice.detail}</span>
              </label>
            </li>
          ))}
        </ul>
      </div>
      <footer>
        <span className="muted row">{chosen.length} chosen</span>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
