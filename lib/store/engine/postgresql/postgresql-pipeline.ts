import type { Row, Rows, Value } from "../engine";

/** A statement that is prepared once in a connection, under its name. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Value[];
}

/** What the driver says of a column. */
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

type Reader = (value: string) => Value;

/** How the rows of a prepared statement are read: names of the columns, and what makes values of their texts. */
export interface RowShape {
  readonly names: readonly string[];
  readonly readers: readonly Reader[];
}

/** The part of the driver that sends messages of the protocol. */
export interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** Texts of the statements that are prepared, by name. The driver looks here as well. */
  readonly parsedStatements: Record<string, string>;
  parse(statement: Omit<NamedQuery, "values">): void;
  describe(what: { readonly type: "S"; readonly name: string }): void;
  bind(portal: {
    readonly statement: string;
    readonly values: readonly Value[];
    readonly valueMapper: (value: Value) => string | null;
  }): void;
  execute(portal: { readonly portal: "" }): void;
  sync(): void;
}

/** What a connection knows of its statements. */
export interface Prepared {
  readonly shapes: Map<string, RowShape>;
  readonly readerOf: (type: number) => Reader;
}

const NO_ROWS: RowShape = { names: [], readers: [] };
const textOf = (value: Value): string | null => (value === null ? null : String(value));

/**
 * Statements that are sent in one packet and answered in one. Only the end of them is a sync, so the server begins a transaction with
 * the first and commits it after the last without being told; where one fails, it leaves out those that follow, and nothing has happened.
 * A statement is described when it is prepared, not each time.
 *
 * The driver runs it as one of its queries: it calls the methods that begin with `handle`.
 */
export class PostgresqlPipeline {
  readonly #rows: Row[][] = [];
  #current: Row[] = [];
  #shape: RowShape | null = null;
  /** What is being prepared and described, in order. */
  readonly #preparing: NamedQuery[] = [];
  readonly #describing: string[] = [];
  #isOver = false;

  /**
   * @param onAnswer the server has answered another statement
   * @param onEnd with null when the transaction is committed, else with the error of server or system
   */
  constructor(
    private readonly queries: readonly NamedQuery[],
    private readonly prepared: Prepared,
    private readonly onAnswer: () => void,
    private readonly onEnd: (error: unknown) => void,
  ) {}

  /** Rows of each statement that was answered. */
  get rows(): readonly Rows[] {
    return this.#rows;
  }

  submit(wire: Wire): null {
    const { shapes } = this.prepared;
    wire.stream.cork();
    for (const query of this.queries) {
      const { name, text, values } = query;
      if (!shapes.has(name) && !this.#describing.includes(name)) {
        if (wire.parsedStatements[name] === undefined) {
          wire.parse({ name, text });
          this.#preparing.push(query);
        }
        wire.describe({ type: "S", name });
        this.#describing.push(name);
      }
      wire.bind({ statement: name, values, valueMapper: textOf });
      wire.execute({ portal: "" });
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  /** The server has prepared a statement. The driver tells it to its own queries only by their names. */
  onPrepared({ parsedStatements }: Wire): void {
    const query = this.#preparing.shift();
    if (query !== undefined) {
      parsedStatements[query.name] = query.text;
    }
  }

  /** A statement gives no rows. The driver tells nobody. */
  onNoRows(): void {
    this.#describe(NO_ROWS);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#describe({
      names: fields.map(({ name }) => name),
      readers: fields.map(({ dataTypeID }) => this.prepared.readerOf(dataTypeID)),
    });
  }

  #describe(shape: RowShape): void {
    const name = this.#describing.shift();
    if (name !== undefined) {
      this.prepared.shapes.set(name, shape);
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#shape ??= this.prepared.shapes.get(this.queries[this.#rows.length]?.name ?? "") ?? NO_ROWS;
    const { names, readers } = this.#shape;
    const row: Record<string, Value> = {};
    for (const [at, name] of names.entries()) {
      const value = fields[at] ?? null;
      row[name] = value === null ? null : (readers[at] as Reader)(value);
    }
    this.#current.push(row);
  }

  handleCommandComplete(): void {
    this.#rows.push(this.#current);
    this.#current = [];
    this.#shape = null;
    this.onAnswer();
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  handleError(error: unknown): void {
    this.#end(error);
  }

  #end(error: unknown): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.onEnd(error);
    }
  }
}
