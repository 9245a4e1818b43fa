import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button.tsx";

type FileDropProps = Readonly<{
  /** What the button says, such as "Add images". */
  label: string;
  hint: string;
  /** The types of files, as an input takes them. */
  accept: string;
  isMultiple?: boolean;
  isBusy?: boolean;
  isDisabled?: boolean;
  onFiles: (files: readonly File[]) => void;
  children?: ReactNode;
}>;

/** Takes files that are dropped on it, or chosen with its button. */
export function FileDrop({
  label,
  hint,
  accept,
  isMultiple = false,
  isBusy = false,
  isDisabled = false,
  onFiles,
  children,
}: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const pass = (files: FileList | null) => {
    const taken = [...(files ?? [])].slice(0, isMultiple ? undefined : 1);
    if (taken.length > 0 && !isBusy && !isDisabled) onFiles(taken);
  };
  return (
    // The button does the same by keyboard.
    <section
      className={isOver ? "file-drop over" : "file-drop"}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        pass(event.dataTransfer.files);
      }}
    >
      {children}
      {!isDisabled && (
        <div className="row">
          <Button icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
            {label}
          </Button>
          <span className="small muted">{hint}</span>
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        aria-label={label}
        onChange={(event) => {
          pass(event.target.files);
          event.target.value = ""; // the same file can be chosen again
        }}
      />
    </section>
  );
}
