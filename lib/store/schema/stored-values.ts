/** Node of a job whose results nobody gets: its own node is gone, and a person let it go on without one. */
export const NO_NODE = "";

/** State of a row of `requests` that is being settled: nobody emits the results of a job without a node. */
export const SETTLED_STATE = `CASE WHEN EXISTS (
  SELECT 1 FROM jobs n WHERE n.id = requests.job AND n.node = '${NO_NODE}') THEN 'emitted' ELSE 'settled' END`;
