import { useState } from "preact/hooks";
import { texts } from "../shared/format";
import { Button } from "../shared/parts";

/** Rows that are shown at once. */
const SLICE = 50;

interface TableProps {
  /** For screen readers. */
  readonly name: string;
  readonly titles: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly [string, ...string[]])[];
}

/** A table. Long ones are shown in slices. */
export function Table({ name, titles, rows }: TableProps) {
  const [count, setCount] = useState(SLICE);
  return (
    <>
      <table class="messaging-table" aria-label={name}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map(([first, ...others], row) => (
            <tr key={`${row} ${first}`}>
              <th scope="row">{first}</th>
              {others.map((each, column) => (
                <td key={titles[column + 1]}>{each}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count < rows.length && <Button text={texts("report.more")} onPress={() => setCount(count + SLICE)} />}
    </>
  );
}
