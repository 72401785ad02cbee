export { createSimulator, type Simulator } from './create-simulator.ts';
