/** Colours, space and type. Each colour is written once for light and once for dark. */
export const tokens = `
:root {
  color-scheme: light dark;

  --page: light-dark(#faf9f6, #161817);
  --surface: light-dark(#ffffff, #1e2120);
  --raised: light-dark(#f1f0ec, #2b2d2c);
  --border: light-dark(#e2e0d9, #363a38);
  --border-strong: light-dark(#8a8880, #7f8581);
  --text: light-dark(#20211f, #eeeeea);
  --muted: light-dark(#5c5e59, #a9aea9);

  --accent: #12664f;
  --on-accent: #ffffff;
  --accent-text: light-dark(#12664f, #6cc7a9);

  --danger: light-dark(#a3261d, #f29a92);
  --danger-soft: light-dark(#fbebe8, #38211f);
  --success: light-dark(#1d6537, #86d19f);
  --success-soft: light-dark(#e4f2e8, #1b2f22);
  --info-soft: light-dark(#eceff4, #23292f);
  --warning: light-dark(#6f4600, #e8bb72);
  --warning-soft: light-dark(#fbf1dc, #332a18);

  --space-1: 0.25rem;
  --space-2: 0.5rem;
  --space-3: 0.75rem;
  --space-4: 1rem;
  --space-5: 1.5rem;
  --space-6: 2.25rem;
  --space-7: 3.5rem;

  --radius: 12px;
  --radius-s: 8px;
  --control: 48px;
  --shadow: 0 1px 2px rgb(0 0 0 / 0.05);
  --font: system-ui, -apple-system, Roboto, sans-serif;
}
`;
