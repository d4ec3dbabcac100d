export { acceptMoves, checkMoves, undoAcceptance } from './acceptances.ts'
export { printLetters, sendLetters } from './letters.ts'
export { configureSeason } from './pools.ts'
export { closeRuns, startRun, stopRun } from './runs.ts'
