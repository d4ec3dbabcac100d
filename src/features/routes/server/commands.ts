export { moveStop, pinStop } from './changes/by-hand.ts'
export { crewBackTx, redoChange, undoChange } from './changes/steps.ts'
export { publishDay } from './published/publish.ts'
export { applyRun, closeRuns, dismissRun, startRun, stopRun } from './runs/runs.ts'
