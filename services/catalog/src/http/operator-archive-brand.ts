import { operatorArchiveBrand as operation } from '@bv/contract';
import { route } from '@bv/http';
import { transaction } from '@bv/postgres';
import { archiveBrand } from '../commands/archive-brand.ts';
import type { Context } from '../context.ts';
import { presentBrand } from './present.ts';

export const operatorArchiveBrandRoute = ({ pool }: Context) =>
  route(operation, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => archiveBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });
