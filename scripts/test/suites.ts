/** Tests that run in one process. */
export interface Suite {
  /** Under `test/`. */
  readonly folder: string;
  /** The only Node-RED that they run on, of those that they are for; all without it. */
  readonly nodeRed?: number;
  /** They run the code of the repository; the others run the packed package, in processes of Node-RED's. */
  readonly sources?: true;
  /** Its files are on the disk, since it kills processes amid their commits; those of the others are in memory where there is room. */
  readonly disk?: true;
  /** Every so many-th file of the folder, from this one on, counted from 0; all without it. */
  readonly part?: readonly [from: number, of: number];
  /** Promises that `npm test` proves: each once, on the Node-RED that `npm ci` installs. The others run in `npm run test:all` alone. */
  readonly quick?: true;
  /** What is wrong where one of them fails. */
  readonly tells: string;
}

/** A row for each of so many processes that share its files. */
const inParts = (count: number, suite: Omit<Suite, "part">): readonly Suite[] =>
  Array.from({ length: count }, (_, from) => ({ ...suite, part: [from, count] }));

/**
 * All tests, those that take longest first. What a failure would tell decides what `npm test` leaves out: the same promises on the
 * other Node-RED, and promises that `npm test` proves one by one, kept under kills and load.
 */
export const SUITES: readonly Suite[] = [
  ...inParts(2, {
    folder: "node",
    sources: true,
    quick: true,
    tells: "a node does not keep the contract of its messages",
  }),
  ...inParts(3, {
    folder: "browser",
    nodeRed: 4,
    quick: true,
    tells: "a dialog or the sidebar does not do what it says",
  }),
  ...inParts(2, {
    folder: "e2e",
    nodeRed: 4,
    quick: true,
    tells: "the package does not work as it is installed",
  }),
  { folder: "browser", nodeRed: 5, tells: "an editor of Node-RED 5 differs from that of 4 for our dialogs" },
  { folder: "e2e", nodeRed: 5, tells: "Node-RED 5 differs from 4 for the package" },
  ...inParts(6, {
    folder: "unit",
    sources: true,
    quick: true,
    tells: "a rule, a statement, a text or the simulator is wrong",
  }),
  {
    folder: "cluster",
    disk: true,
    tells: "several Node-REDs that are killed and cut off lose or double a message",
  },
  { folder: "crash", disk: true, tells: "a Node-RED that is killed under load loses or doubles a message" },
  {
    folder: "faults",
    sources: true,
    quick: true,
    tells: "a broken connection costs a message, or sends it twice",
  },
];

/** Folders under `test/` with tests. */
export const FOLDERS: readonly string[] = [...new Set(SUITES.map(({ folder }) => folder))];

/** As in `browser-4-1`. */
export const nameOf = ({ folder, nodeRed, part }: Suite): string =>
  `${folder}${nodeRed === undefined ? "" : `-${nodeRed}`}${part ? `-${part[0] + 1}` : ""}`;
