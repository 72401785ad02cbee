export { composeAnswer } from './answer.ts';
export { createSimulator, type Simulator } from './create-simulator.ts';
