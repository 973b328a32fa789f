import type { NodeAPI, NodeMessage } from "node-red";

const SIMPLE_NAME = /^[A-Za-z]\w*$/;

/** True for a top-level property, which is read without Node-RED's parser: that parses the path each time. */
export const isSimpleProperty = (path: string): boolean => SIMPLE_NAME.test(path);

/** Returns undefined if the property or a parent does not exist. @param path without `msg.` */
export function messageValue(RED: NodeAPI, msg: NodeMessage, path: string): unknown {
  try {
    return isSimpleProperty(path) ? msg[path] : RED.util.getMessageProperty(msg, path);
  } catch {
    return undefined;
  }
}
