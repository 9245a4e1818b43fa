/** The shapes of the icons, drawn on a square of 24 with a line of 1.7. */
const shapes = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
  orders: "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
  products: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  stock: "M4 20V9l8-5 8 5v11M8 20v-7h8v7M8 16.5h8",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  subscriptions:
    "M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5",
  inbox: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  customers:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.6-3.6 3-5.5 6.5-5.5s5.9 1.9 6.5 5.5M16 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14.8c2.3.6 3.6 2.4 4 5.2",
  reports: "M4 20h16M7 20v-7M12 20V5M17 20v-10",
  webhooks:
    "M8 16a3.5 3.5 0 1 0 3.5 3.5M8.5 15.5l3-6M16 19.5H9.5M16 16a3.5 3.5 0 1 1-1.5 6.6M15.5 13l-3-5.5M12 8a3.3 3.3 0 1 0-2.9-1.6",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  audit: "M12 3l7 3v5c0 4.5-2.8 8-7 10-4.2-2-7-5.5-7-10V6zM9 12l2 2 4-4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  attachment:
    "M19 11.5l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.7a3 3 0 0 1 4.3 4.2l-7.6 7.7a1.5 1.5 0 0 1-2.2-2.1L14.5 7.5",
  print: "M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z",
  upload: "M12 16V5M7.5 9L12 4.5 16.5 9M4 16v4h16v-4",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 16v4h16v-4",
  truck:
    "M3 6h11v11H3zM14 10h4l3 3v4h-7zM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z",
  logout: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  image: "M4 5h16v14H4zM4 16l4.5-4.5 4 4L16 12l4 4M9 9.5h.01",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5",
  star: "M12 4l2.4 5.2 5.6.6-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.8l5.6-.6z",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18z",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
} as const;

export type IconName = keyof typeof shapes;

/** A drawing without meaning of its own: the text beside it, or the button's label, says it. */
export const Icon = ({ name }: Readonly<{ name: IconName }>) => (
  <svg
    className="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[name]} />
  </svg>
);
