export { capacityPage } from './page.ts';
