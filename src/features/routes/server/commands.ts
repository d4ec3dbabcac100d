export { moveStop, pinStop } from './by-hand.ts'
export { publishDay } from './publish.ts'
export { applyRun, closeRuns, dismissRun, startRun, stopRun } from './runs.ts'
export { crewBackIn, redoChange, undoChange } from './steps.ts'
