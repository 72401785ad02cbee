import type { Route } from '@bv/http';
import type { Context } from '../context.ts';
import { getMethodologyRoute } from './methodology.ts';
import { operatorAddScanCreditsRoute } from './operator-scan-credits.ts';
import { getScanPreviewRoute } from './scan-preview.ts';
import { getScanRoute, operatorRunScanRoute, requestScanRoute } from './scans.ts';

/** The operations of this service. */
export function createRoutes(ctx: Context): Route[] {
  return [
    requestScanRoute(ctx),
    getScanRoute(ctx),
    getScanPreviewRoute(ctx),
    getMethodologyRoute(ctx),
    operatorRunScanRoute(ctx),
    operatorAddScanCreditsRoute(ctx),
  ];
}
