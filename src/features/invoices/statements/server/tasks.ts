import { task } from '../../../../platform/tasks/task.ts'
import { sendOneOfMany, sendStatementTask } from './commands.ts'

export const sendStatementWork = task({ ...sendStatementTask, run: sendOneOfMany })
