import { parser } from '@prometheus-io/lezer-promql';

export type Selector = { metric: string; matchers: { label: string; value: string }[] };

/** The selectors of an expression: metrics with their matchers. Throws on invalid PromQL. */
export function parseSelectors(expression: string): Selector[] {
  const selectors: Selector[] = [];
  const text = (node: { from: number; to: number }): string => expression.slice(node.from, node.to);
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`invalid PromQL at ${node.from}: ${expression}`);
      if (node.name !== 'VectorSelector') return;
      const metric = node.node.getChild('Identifier');
      if (!metric) throw new Error(`a selector without a metric: ${expression}`);
      const matchers = (node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map(
        (matcher) => {
          const [label, value] = [matcher.getChild('LabelName'), matcher.getChild('StringLiteral')];
          return { label: label ? text(label) : '', value: value ? text(value).slice(1, -1) : '' };
        },
      );
      selectors.push({ metric: text(metric), matchers });
    },
  });
  return selectors;
}
