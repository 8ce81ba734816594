interface Exporter<Items> {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
}

/** The same exporter; a failure is reported once, until it works again. */
export function reportingExporter<Items, Kind extends Exporter<Items>>(
  exporter: Kind,
  url: string,
  report: (message: string) => void,
): Kind {
  const send = exporter.export.bind(exporter);
  let failing = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== 0;
      if (failed && !failing)
        report(`Telemetry could not be sent to ${new URL(url).host}: ${result.error?.message || 'no reason is given'}`);
      failing = failed;
      done(result);
    });
  return exporter;
}
