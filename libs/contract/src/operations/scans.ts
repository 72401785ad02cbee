import { operation } from '../operation.ts';
import { BrandParams, noQuery, resourceId } from '../parameters.ts';
import { ScanJob, ScanRequest } from '../resources/scan.ts';

export const requestScan = operation({
  id: 'requestScan',
  service: 'scans',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/scan-requests',
  summary: 'Request an on-demand scan of an own brand',
  params: BrandParams,
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: ScanRequest },
  errors: ['no_manual_scans', 'brand_archived', 'no_active_prompts', 'scan_already_queued'],
});

export const getScan = operation({
  id: 'getScan',
  service: 'scans',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}',
  summary: 'Read the state of a scan job',
  params: BrandParams.extend({ jobId: resourceId('scan job') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: ScanJob },
});
