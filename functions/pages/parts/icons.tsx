type IconName = "bag" | "search" | "check" | "picture" | "back" | "person";

const paths: Readonly<Record<IconName, string>> = {
  bag: "M6 8h12l1 12H5L6 8Zm3 0V6.5a3 3 0 0 1 6 0V8",
  search: "M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13Zm4.8-1.7L20 20",
  check: "m5 12.5 4.5 4.5L19 7.5",
  picture: "M4 5h16v14H4V5Zm0 11 5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01",
  person: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 9a7.5 7.5 0 0 1 15 0",
  back: "M15 5l-7 7 7 7",
};

/** A picture beside a text that says the same. */
export const Icon = ({ name }: Readonly<{ name: IconName }>) => (
  <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
