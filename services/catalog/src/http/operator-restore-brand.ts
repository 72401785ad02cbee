import { operatorRestoreBrand as operation } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { restoreBrand } from '../commands/archive-brand.ts';
import type { Context } from '../context.ts';
import { presentBrand } from './present.ts';

export const operatorRestoreBrandRoute = ({ pool }: Context) =>
  route(operation, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => restoreBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });
