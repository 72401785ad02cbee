import { operation } from '../operation.ts';
import { noQuery, OwnBrandParams, resourceId } from '../parameters.ts';
import { ScanJob, ScanPreview, ScanRequest } from '../resources/scan.ts';

export const requestScan = operation({
  id: 'requestScan',
  service: 'scans',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/scan-requests',
  summary: 'Request a scan',
  description:
    'Queues a scan of all active prompts of the brand, on each of their platforms in each of their countries. It uses a manual scan of the month, then a scan credit. Both are refunded if nothing was measured.\n\nWhile a scan of today (UTC) is queued or running, the refusal `scan_already_queued` names it and is as good as success. Poll `getScan`, compare `last_scan_changed_at`, or subscribe to `scan.completed`.',
  params: OwnBrandParams,
  query: noQuery,
  body: null,
  success: { status: 202, kind: 'item', data: ScanRequest },
  errors: ['no_manual_scans', 'brand_archived', 'no_active_prompts', 'scan_already_queued'],
});

export const getScanPreview = operation({
  id: 'getScanPreview',
  service: 'scans',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scan-preview',
  summary: 'Preview a scan',
  description:
    'Decides as `requestScan` by a key that may write, and queues nothing. A price is a setting of the installation for one unit, whatever its outcome.',
  params: OwnBrandParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: ScanPreview },
});

export const getScan = operation({
  id: 'getScan',
  service: 'scans',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/scan-requests/{jobId}',
  summary: 'Read a scan',
  description:
    '`status` goes from `queued` to `running`, then `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled` (the brand was archived first). Results of finished units are readable before the scan ends. Poll every few seconds.',
  params: OwnBrandParams.extend({ jobId: resourceId('scan job') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: ScanJob },
});
