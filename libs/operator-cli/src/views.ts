/** How tables show wide data, by operation id. `--json` always prints everything. */
type View = {
  /** Columns of a list. */
  columns?: readonly string[];
  /** Field of an item that is printed as JSON below the table. */
  block?: string;
};

const views: Partial<Record<string, View>> = {
  operatorListDeadEvents: { columns: ['id', 'consumer', 'type', 'attempts', 'error'] },
  operatorGetDeadEvent: { block: 'message' },
};

export const getView = (operationId: string): View => views[operationId] ?? {};
