/** What tables show of operations whose data is wide; `--json` always has everything. By operation id. */
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

export const viewOf = (operationId: string): View => views[operationId] ?? {};
