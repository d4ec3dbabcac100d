export { acceptMoves, checkMoves, undoAcceptance } from './acceptances.ts'
export { printLetters, recallLetters, sendLetters } from './letters.ts'
export { closeRuns, planSeason, startRun, stopRun } from './runs.ts'
