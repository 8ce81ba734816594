/** Rows as a table for a terminal; columns are those of the first row. */
export function tableOf(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => textOf(row[name]))),
  ];
  const widths = columns.map((_, k) => Math.max(...cells.map((line) => line[k].length)));
  return cells
    .map((line) =>
      line
        .map((cell, k) => cell.padEnd(widths[k]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function textOf(value) {
  return value === undefined ? '–' : String(value);
}
