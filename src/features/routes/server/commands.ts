export { moveStop, pinStop, undoChange } from './by-hand.ts'
export { type Optimised, optimiseDay } from './optimise.ts'
export { publishDay } from './publish.ts'
