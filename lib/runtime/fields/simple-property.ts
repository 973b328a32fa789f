const SIMPLE_NAME = /^[A-Za-z]\w*$/;

/** Whether a path is a top-level property. It is read directly, without Node-RED's parser, which parses the path every time. */
export const isSimpleProperty = (path: string): boolean => SIMPLE_NAME.test(path);
