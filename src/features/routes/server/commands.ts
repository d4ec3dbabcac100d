export { moveStop, pinStop, undoChange } from './by-hand.ts'
export { optimiseDay } from './optimise.ts'
export { publishDay } from './publish.ts'
