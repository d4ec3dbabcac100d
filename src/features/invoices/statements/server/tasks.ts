export { continueStatementRun, sendStatementWork } from './many.ts'
