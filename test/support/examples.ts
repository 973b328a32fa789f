import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FlowNode, Flows } from "./node-red/admin-client";
import { ROOT } from "./node-red/packed-package";

const FOLDER = join(ROOT, "examples");

/** One of the flows that come with the package. */
export class Example {
  readonly flows: Flows;

  constructor(readonly name: string) {
    this.flows = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
  }

  /** Whether it has nodes of another package, which tests of all examples do without. */
  get needsPackage(): boolean {
    return this.flows.some(({ type }) => type.startsWith("ui-"));
  }

  /** Id of the only node with this name, or of the only one of this type. */
  id(nameOrType: string): string {
    const found = this.flows.filter(
      ({ name, label, type }: FlowNode) => name === nameOrType || label === nameOrType || type === nameOrType,
    );
    if (found.length !== 1) {
      throw new Error(`${this.name}: ${found.length} nodes are called, or are of type, ${nameOrType}`);
    }
    return (found[0] as FlowNode).id;
  }

  /** Its flows with other properties of some nodes, by their names or types. @throws Error where `id` does */
  with(changes: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Flows {
    const byId = new Map(Object.entries(changes).map(([name, change]) => [this.id(name), change]));
    return this.flows.map((node) => ({ ...node, ...byId.get(node.id) }));
  }
}

/** All of them, in the order of the editor's menu. */
export function allExamples(): readonly Example[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => new Example(basename(file, ".json")));
}
