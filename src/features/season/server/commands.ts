export { acceptMoves, checkMoves, undoAcceptance } from './acceptances.ts'
export { printLetters, sendLetters } from './letters.ts'
export { closeRuns, startRun, stopRun } from './runs.ts'
