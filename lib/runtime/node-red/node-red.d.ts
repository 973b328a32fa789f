/**
 * What @types/node-red leaves out of Node-RED's runtime API or declares otherwise than Node-RED behaves. An overload that stands here
 * takes precedence over the one in the package. Nothing in this file exists at run time.
 */
import type { Node as AnyNode, NodeMessage } from "node-red";

declare module "@node-red/registry" {
  interface NodeAPINodes {
    /** Null for an id without a running node: unknown, disabled, or in a subflow's template. */
    getNode<Credentials extends object = object>(id: string): Node<Credentials> | null;
    getCredentials(id: string): object | undefined;
  }

  interface Node {
    wires?: readonly (readonly string[])[];
    /** Path within nested subflows. Unlike the id, it survives deploys. */
    _path?: string;
  }

  interface NodeContextData {
    get(key: string, storeName: string | undefined, callback: ContextCallback): void;
    set(key: string, value: unknown, storeName: string | undefined, callback: ContextCallback): void;
  }

  /** A context store reports success with null, undefined, or no argument at all. */
  type ContextCallback = (error?: Error | null, value?: unknown) => void;
}

declare module "@node-red/util" {
  interface Hooks {
    /** `HOOK.LABEL` adds a handler that can be removed by the same name. */
    add(hookName: `preRoute.${string}`, handler: (event: PreRouteEvent) => false | undefined): void;
    /** `done` receives `false` if a handler stopped the event. */
    trigger(hookName: "preRoute", event: PreRouteEvent, done: (result?: false | Error) => void): void;
  }

  interface PreRouteEvent {
    readonly msg: NodeMessage;
    readonly destination: { readonly id: string };
    readonly cloneMessage?: boolean;
  }

  interface Util {
    /** `env` needs no node: without one, only the environment of the process is read. */
    evaluateNodeProperty(value: string, type: "env", node: AnyNode | null, msg: NodeMessage): unknown;
  }
}
