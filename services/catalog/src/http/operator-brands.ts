import { operatorArchiveBrand, operatorRestoreBrand } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { archiveBrand, restoreBrand } from '../commands/brands.ts';
import type { Context } from '../context.ts';
import { presentBrand } from './present.ts';

export const operatorArchiveBrandRoute = ({ pool }: Context) =>
  route(operatorArchiveBrand, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => archiveBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });

export const operatorRestoreBrandRoute = ({ pool }: Context) =>
  route(operatorRestoreBrand, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => restoreBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });
