import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./bar-chart.css";

/** One bar: its day and its height. */
export type Bar = Readonly<{ date: string; value: number }>;

type BarChartProps = Readonly<{
  /** What the chart shows, for those who do not see it. */
  label: string;
  bars: readonly Bar[];
  formatValue: (value: number) => string;
  /** Shown when one points at a bar. */
  titleOf: (bar: Bar) => string;
}>;

const height = 220;

/** Bars by day. The same numbers are in a table that screen readers read. */
export function BarChart({ label, bars, formatValue, titleOf }: BarChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let chart: uPlot | undefined;
    const draw = () => {
      chart?.destroy();
      chart = createChart(element, { bars, formatValue, titleOf });
    };
    draw();
    const resize = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    // The colours are drawn into a canvas, so another theme needs another drawing.
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resize.disconnect();
      dark.removeEventListener("change", draw);
      theme.disconnect();
      chart?.destroy();
    };
  }, [bars, formatValue, titleOf]);

  return (
    <figure className="chart-figure">
      <div ref={frame} className="chart" aria-hidden="true" />
      <table className="visually-hidden">
        <caption>{label}</caption>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.date}>
              <th scope="row">{bar.date}</th>
              <td>{formatValue(bar.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function createChart(
  element: HTMLElement,
  { bars, formatValue, titleOf }: Omit<BarChartProps, "label">,
): uPlot {
  const colour = (name: string) => resolveColour(element, name);
  const axis = {
    stroke: colour("--muted"),
    font: "12px system-ui, sans-serif",
    ticks: { show: false },
  };
  const paths = uPlot.paths.bars?.({ size: [0.72, 32] });
  const { title, plugin } = createTitle(bars, titleOf);
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: (_, min, max) => [min - 0.6, max + 0.6] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          space: 64,
          incrs: [1, 2, 5, 7, 10, 14],
          values: (_, positions) => positions.map((position) => dayName(bars[position])),
        },
        {
          ...axis,
          size: 76,
          grid: { stroke: colour("--border"), width: 1 },
          values: (_, values) => values.map(formatValue),
        },
      ],
      series: [
        {},
        { fill: colour("--accent"), width: 0, points: { show: false }, ...(paths && { paths }) },
      ],
      plugins: [plugin],
    },
    [bars.map((_, index) => index), bars.map(({ value }) => value)],
    element,
  );
  chart.over.append(title);
  return chart;
}

/** A line above the bars that says what is under the pointer. */
function createTitle(bars: readonly Bar[], titleOf: (bar: Bar) => string) {
  const title = document.createElement("div");
  title.className = "chart-title small";
  const plugin: uPlot.Plugin = {
    hooks: {
      setCursor: ({ cursor: { idx } }) => {
        const bar = typeof idx === "number" ? bars[idx] : undefined;
        title.textContent = bar ? titleOf(bar) : "";
      },
    },
  };
  return { title, plugin };
}

const dayFormat = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

const dayName = (bar: Bar | undefined): string =>
  bar === undefined ? "" : dayFormat.format(new Date(bar.date));

/** The colour of a token as the canvas needs it: of the theme that the element has now. */
function resolveColour(element: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
