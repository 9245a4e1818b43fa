/** The main numbers of a report, large and beside each other. */
export const Figures = ({
  figures,
}: Readonly<{ figures: readonly Readonly<{ name: string; value: string }>[] }>) => (
  <dl className="figures">
    {figures.map(({ name, value }) => (
      <div key={name}>
        <dd>{value}</dd>
        <dt>{name}</dt>
      </div>
    ))}
  </dl>
);
