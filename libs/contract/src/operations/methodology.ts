import { operation } from '../operation.ts';
import { noParams, noQuery } from '../parameters.ts';
import { Methodology } from '../resources/methodology.ts';

export const getMethodology = operation({
  id: 'getMethodology',
  service: 'scans',
  method: 'GET',
  path: '/methodology',
  summary: 'Read the methodology',
  description:
    'Formulas, rules of detection, the settings of the running service, known limits and every version of the method. It is the same for every key.',
  params: noParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Methodology },
});
